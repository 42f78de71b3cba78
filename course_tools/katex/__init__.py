"""Formulas as HTML, by KaTeX; its files are in files/, with their licence."""
