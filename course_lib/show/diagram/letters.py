"""How much room a text takes, in inches, before anything is drawn."""

from functools import lru_cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

LINE = 1.35  # distance of two lines, in heights of a letter
MATHS = "cm"  # as in the equations around the figure


@lru_cache(maxsize=4096)
def measure(text: str, points: float, bold: bool = False) -> tuple[float, float]:
    """Width and height in inches; lines are separated by a line break."""
    lines = text.split("\n")
    font = FontProperties(
        size=points, weight="bold" if bold else "normal", math_fontfamily=MATHS
    )
    sizes = [
        text_to_path.get_text_width_height_descent(line, font, is_maths(line))
        for line in lines
    ]
    width = max(w for w, _, _ in sizes) / 72
    high = max(max(h for _, h, _ in sizes), points) / 72
    return width, high + (len(lines) - 1) * LINE * points / 72


def is_maths(text: str) -> bool:
    """Whether matplotlib will read the text as mathtext."""
    return text.count("$") >= 2


def wrap(text: str, points: float, width: float) -> str:
    """Break the text at spaces, never inside $...$, into lines up to the width.

    No line is left with a last word or two: the others give it some of theirs.
    """
    lines, narrower = _lines(text, points, width), 0.95 * width
    while narrower > width / 2 and measure(lines[-1], points)[0] < width / 3:
        shorter = _lines(text, points, narrower)
        if len(shorter) > len(lines):
            break
        lines, narrower = shorter, 0.95 * narrower
    return "\n".join(lines)


def _lines(text: str, points: float, width: float) -> list[str]:
    lines = [""]
    for word in _words(text):
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or measure(longer, points)[0] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _words(text: str) -> list[str]:
    """The words of a text; a formula is one word together with what touches it."""
    words: list[str] = []
    for piece in text.split(" "):
        if words and words[-1].count("$") % 2:
            words[-1] += " " + piece
        else:
            words.append(piece)
    return words


def plain(text: str) -> str:
    """Without the marks of mathtext, for people who hear the description."""
    for mark, word in ((r"\tilde ", "~"), (r"\odot", "*"), (r"\alpha", "alpha")):
        text = text.replace(mark, word)
    return text.replace("$", "").replace("\\", "").replace("\n", " ")
