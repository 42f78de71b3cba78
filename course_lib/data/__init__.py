"""The data of the course: one module per source, generated or from a package."""
