"""Texts by students, made fit to be stored or shown on a terminal."""


def writable(text: str) -> str:
    """Return text that can be written: no halves of characters (surrogates)."""
    return text.encode("utf-8", "replace").decode()


def printable(text: str) -> str:
    """Return the text without characters that would move the cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)
