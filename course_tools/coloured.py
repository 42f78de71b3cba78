"""Code in colours, for pages: only what a style sheet colours is marked."""

import re

from IPython.lib.lexers import IPython3Lexer
from pygments import highlight
from pygments.formatters import HtmlFormatter

# pygments' names: keywords, strings, comments, numbers, names of what is defined
STYLED = "k|kn|kc|kd|kr|ow|nb|bp|s|s1|s2|sa|sd|si|se|sr|c|c1|cm|mi|mf|mh|mo|nf|nc"
# every other name, bracket and operator would be marked, too: half of a page's code
PLAIN = re.compile(rf'<span class="(?!(?:{STYLED})")\w+">([^<]*)</span>')
LEXER, FORMATTER = IPython3Lexer(), HtmlFormatter(nowrap=True)


def coloured(source: str) -> str:
    """Python as HTML without the tags around it."""
    return PLAIN.sub(r"\1", highlight(source, LEXER, FORMATTER))
