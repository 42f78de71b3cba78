"""Which concepts and errata the lectures show, read from the tags of their cells.

`coverage.tsv` lists what the course promises: 362 concepts (C1..C362) and 91 errata and
differences of convention (E1..E91), each with the lecture that settles it. A cell that
shows one carries its name as a tag. `./course coverage` writes `notebooks/coverage.md`
from both; a test keeps the file up to date and the promise honest.
"""

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

ROWS = Path(__file__).with_name("coverage.tsv")
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@dataclass
class Row:
    """One promise, and the places that keep it: (notebook, cell id)."""

    name: str
    lecture: str
    concept: str
    shown: list[tuple[str, str]] = field(default_factory=list)

    @property
    def missing(self) -> bool:
        return not self.shown


def promised() -> list[Row]:
    """The rows of coverage.tsv, in order."""
    with ROWS.open(encoding="utf8", newline="") as file:
        lines = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(lines)
        return [Row(name, lecture, concept) for name, lecture, concept in lines]


def tagged(folder: Path = NOTEBOOKS) -> dict[str, list[tuple[str, str]]]:
    """Every tag that looks like C23 or E4, with the executed cells that carry it."""
    cells_by_tag = defaultdict(list)
    for path in sorted(folder.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code":
                continue
            for tag in cell.metadata.get("tags", []):
                if tag[:1] in "CE" and tag[1:].isdigit():
                    cells_by_tag[tag].append((path.stem, cell.id))
    return cells_by_tag


def coverage(folder: Path = NOTEBOOKS) -> list[Row]:
    """Every promised row with the cells that show it; unknown tags are an error."""
    rows = promised()
    cells_by_tag = tagged(folder)
    unknown = sorted(set(cells_by_tag) - {row.name for row in rows})
    if unknown:
        raise ValueError(f"tags that name no row of coverage.tsv: {', '.join(unknown)}")
    for row in rows:
        row.shown = cells_by_tag.get(row.name, [])
    return rows


def _line(row: Row) -> str:
    concept = row.concept.replace("|", "\\|")
    books = defaultdict(list)
    for book, cell in row.shown:
        books[book].append(f"`{cell}`")
    cells = "; ".join(f"[{b}]({b}.ipynb) {', '.join(c)}" for b, c in books.items())
    return f"| {row.name} | {concept} | {cells or '**missing**'} |"


def table(rows: list[Row]) -> str:
    """The coverage table as Markdown."""
    shown = {kind: [r for r in rows if r.name[0] == kind and r.shown] for kind in "CE"}
    total = {kind: sum(r.name[0] == kind for r in rows) for kind in "CE"}
    lines = [
        "# What the lectures cover",
        "",
        "Made by `./course coverage` from the tags of the cells; do not edit by hand. "
        "C: a concept, equation, claim or example. E: an error or a difference of "
        "convention in published lecture material, settled by an executed cell.",
        "",
        f"Shown: {len(shown['C'])} of {total['C']} concepts, "
        f"{len(shown['E'])} of {total['E']} errata.",
        "",
        "| row | what | shown in (notebook, cells) |",
        "|---|---|---|",
        *map(_line, rows),
    ]
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    """`./course coverage`: write notebooks/coverage.md and say what is missing."""
    rows = coverage()
    (NOTEBOOKS / "coverage.md").write_text(table(rows), encoding="utf8")
    missing = [row.name for row in rows if row.missing]
    shown = len(rows) - len(missing)
    print(f"notebooks/coverage.md: {shown} rows shown, {len(missing)} missing", end="")
    print(f": {', '.join(missing)}" if missing else "")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
