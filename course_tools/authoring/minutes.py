"""Honest minutes: how long a lecture takes to read, counted and not guessed.

    100 words of mathematical prose, 150 of plain prose, or 20 lines of code a minute

A paragraph that holds a formula is mathematical, all of it, and so is the displayed
formula below it. A word is whatever stands between spaces and has a letter or a digit,
in formulas too: a long formula takes long. Not counted are exercises, which are extra,
what is folded, references, addresses of links, blank lines of code, and the header's
own line about time.
"""

import math
import re
from dataclasses import dataclass

from nbformat import NotebookNode

PLAIN_A_MINUTE, MATHEMATICAL_A_MINUTE, LINES_A_MINUTE = 150, 100, 20
LIMIT = 80  # minutes of a lecture with a plain number; companions have none

EXERCISE_TEXT = re.compile(r"\s*(#+ |\*\*)Exercise \d")
EXERCISE_CODE = re.compile(r"^\s*exercises\.(check|solution)", re.M)
TIME_LINE = re.compile(r"^\*\*Time\*\*.*$", re.M)
MEASURED_TIME = re.compile(r"^\*\*Time\*\*.*?exercises extra\.", re.M)
NOT_READ = [
    TIME_LINE,
    re.compile(r"^(#+ |\*\*)References\b.*", re.M | re.S),
    re.compile(r"<details>.*?</details>", re.S),
    re.compile(r"(?<=\])\([^)\s]*\)"),  # the address of a link
    re.compile(r"</?[a-z][^>]*>"),
]
BEFORE_A_FORMULA = re.compile(r"\n\s*\n(?=\s*\$\$)")
PARAGRAPHS = re.compile(r"\n\s*\n")
WORD = re.compile(r"\S*\w\S*")


@dataclass(frozen=True)
class Reading:
    """What there is to read, and the minutes that it takes."""

    plain: int = 0
    mathematical: int = 0
    lines: int = 0

    @property
    def minutes(self) -> int:
        words = self.plain / PLAIN_A_MINUTE + self.mathematical / MATHEMATICAL_A_MINUTE
        return math.ceil(words + self.lines / LINES_A_MINUTE)

    def header(self) -> str:
        """The beginning of the header's line about time."""
        words = self.plain + self.mathematical
        return (
            f"**Time** {self.minutes} minutes to read ({words:,} words, "
            f"{self.mathematical:,} of them mathematical, {self.lines:,} lines of "
            "code), exercises extra."
        )


def is_exercise(cell: NotebookNode) -> bool:
    """The text of an exercise, its check or its solution."""
    if cell.cell_type == "code":
        return bool(EXERCISE_CODE.search(cell.source))
    return bool(EXERCISE_TEXT.match(cell.source))


def words(markdown: str) -> tuple[int, int]:
    """Plain and mathematical words of a cell."""
    for part in NOT_READ:
        markdown = part.sub("", markdown)
    plain = mathematical = 0
    for paragraph in PARAGRAPHS.split(BEFORE_A_FORMULA.sub("\n", markdown)):
        count = len(WORD.findall(paragraph))
        if "$" in paragraph:
            mathematical += count
        else:
            plain += count
    return plain, mathematical


def reading(nb: NotebookNode) -> Reading:
    """Count what a notebook asks one to read."""
    plain = mathematical = lines = 0
    for cell in nb.cells:
        if is_exercise(cell):
            continue
        if cell.cell_type == "code":
            lines += sum(bool(line.strip()) for line in cell.source.splitlines())
        elif cell.cell_type == "markdown":
            more_plain, more_mathematical = words(cell.source)
            plain, mathematical = plain + more_plain, mathematical + more_mathematical
    return Reading(plain, mathematical, lines)


def write_header(nb: NotebookNode) -> None:
    """Put the counted numbers into a header that asks for them.

    It asks with a line that starts with **Time** and says "exercises extra."; what the
    author writes after that, such as the seconds to run, stays.
    """
    first = nb.cells[0]
    header = reading(nb).header()
    first.source = MEASURED_TIME.sub(lambda _: header, first.source, count=1)


def complaints(nb: NotebookNode, name: str) -> list[str]:
    """What is wrong with the header of a lecture, and with its length."""
    counted = reading(nb)
    wrong = []
    if not nb.cells or counted.header() not in nb.cells[0].source:
        wrong.append(f"the header does not say: {counted.header()}")
    if re.match(r"\d\d_", name) and counted.minutes > LIMIT:
        wrong.append(f"{counted.minutes} minutes; a lecture has {LIMIT}")
    return wrong
