"""The web edition: the course as static pages that open by double-click."""
