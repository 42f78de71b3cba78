"""What the book holds and in which order: parts, lectures, companions, problem sets."""

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode, ValidationError
from nbformat.v4 import new_markdown_cell, new_notebook

from course_tools.errors import CommandError

# the last number of each part
PARTS = (
    ("Start", 0),
    ("I Recurrence", 3),
    ("II Gates", 5),
    ("III At work", 7),
    ("IV Attention", 10),
    ("V Large models", 13),
    ("VI Beyond text", 15),
    ("VII And back", 99),
)
APPENDIX, PROBLEMS = "Appendix", "Problem sets"
MINUTES = re.compile(r"\*\*Time\*\* (\d+) minutes to read")
TITLE = re.compile(r"^# (.+)$", re.M)


@dataclass(frozen=True)
class Chapter:
    """A notebook of the book."""

    name: str  # "02_simple_rnn"
    title: str  # "The simple recurrent network"
    part: str
    path: Path
    minutes: int | None

    @property
    def label(self) -> str:
        """The number that stands before the title: 02, 04b, A, ps1."""
        return self.name.partition("_")[0] if "_" in self.name else ""

    @property
    def page(self) -> str:
        return f"{self.name}.html"

    @property
    def slides(self) -> str:
        return f"{self.name}-slides.html"

    @property
    def is_companion(self) -> bool:
        return bool(re.fullmatch(r"\d+[a-z]", self.label))


def part_of(name: str) -> str:
    if name.startswith("ps"):
        return PROBLEMS
    number = re.match(r"\d+", name)
    if not number:
        return APPENDIX
    return next(title for title, last in PARTS if int(number[0]) <= last)


def title_of(nb: NotebookNode, name: str) -> str:
    """The heading of a notebook, without the number in front of it."""
    text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    match = TITLE.search(text)
    title = match[1] if match else name
    title = re.sub(r"\$([^$]*)\$", r"\1", title)  # a letter may stand as it is
    return re.sub(r"^(Problem set )?[\dA-Z]+[a-z]? ?[·:.] ", "", title).strip()


def minutes_of(nb: NotebookNode) -> int | None:
    match = MINUTES.search(nb.cells[0].source) if nb.cells else None
    return int(match[1]) if match else None


def read(path: Path) -> NotebookNode:
    """A notebook; a page of Markdown is one with a single cell."""
    if path.suffix == ".md":
        return new_notebook(cells=[new_markdown_cell(path.read_text("utf-8"))])
    try:
        nb = nbformat.read(path, as_version=4)
        nbformat.validate(nb)
    except (ValueError, LookupError, AttributeError, ValidationError) as error:
        raise CommandError(
            f"{path.parent.name}/{path.name} is no notebook that can be read; "
            "repair it, or take it out of this folder"
        ) from error
    return nb


def chapter(path: Path) -> Chapter:
    nb = read(path)
    name = path.stem
    return Chapter(name, title_of(nb, name), part_of(name), path, minutes_of(nb))


def chapters(root: Path) -> list[Chapter]:
    """All notebooks in reading order: numbers, then letters, then problem sets."""
    lectures = sorted(root.glob("notebooks/*.ipynb"))
    lectures += root.glob("notebooks/*.md")  # the table of what is shown where
    sets = sorted(root.glob("assignments/*/*.ipynb"), key=_set_number)
    return [chapter(path) for path in [*lectures, *sets]]


def _set_number(path: Path) -> tuple[int, str]:
    digits = re.search(r"\d+", path.stem)
    return (int(digits[0]) if digits else 0, path.stem)


def in_parts(all_chapters: list[Chapter]) -> list[tuple[str, list[Chapter]]]:
    """The chapters of each part, as the sidebar shows them."""
    order = dict.fromkeys(chapter.part for chapter in all_chapters)
    return [(part, [c for c in all_chapters if c.part == part]) for part in order]
