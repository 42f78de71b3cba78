"""Formulas as HTML, by KaTeX; its files are in files/, with their licence."""

import html


def source_of(tex: str, display: bool = False) -> str:
    """HTML that shows a formula as it was written."""
    mark = "$$" if display else "$"
    return f'<code class="formula">{html.escape(mark + tex + mark)}</code>'
