"""Small matters of English in what is told to a person."""


def number_of(count: int, thing: str) -> str:
    """number_of(1, "page") is "1 page", number_of(2, "page") is "2 pages"."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
