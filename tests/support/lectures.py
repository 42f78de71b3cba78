"""The lecture notebooks, and what is counted in them."""

import re
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
LECTURES = sorted(NOTEBOOKS.glob("*.ipynb"))

# Seconds of computing, from top to bottom, on the machine of pace.USUAL_SECONDS: a
# lecture, a companion to one (its number has a letter, or it has no number), and all.
LECTURE_BUDGET = 60
COMPANION_BUDGET = 90
TOTAL_BUDGET = 15 * 60


def budget(name: str) -> int:
    """Seconds of computing that a notebook may take."""
    is_lecture = re.match(r"\d\d_", name)
    return LECTURE_BUDGET if is_lecture else COMPANION_BUDGET


BUDGET = {path.stem: budget(path.stem) for path in LECTURES}

# Share of code cells whose output nbval compares.
COMPARED_GOAL = 0.8

NOT_COMPARED = {"nbval-ignore-output", "nbval-skip", "raises-exception"}


def code_cells(path: Path) -> list:
    nb = nbformat.read(path, as_version=4)
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def is_compared(cell) -> bool:
    """nbval compares a cell that was run and that no tag or comment takes out."""
    tags = set(cell.metadata.get("tags", []))
    comments = {"# NBVAL_IGNORE_OUTPUT", "# NBVAL_SKIP"}
    commented = any(line.strip() in comments for line in cell.source.splitlines())
    return (
        cell.execution_count is not None and not tags & NOT_COMPARED and not commented
    )


def share_compared(path: Path) -> float:
    cells = code_cells(path)
    return sum(map(is_compared, cells)) / len(cells)


def over_total(rows: list[tuple]) -> str:
    """The complaint about (name, seconds, share) of all lectures, or nothing.

    A run of some of the lectures only says nothing about their sum.
    """
    total = sum(seconds for _, seconds, _ in rows)
    complete = {name for name, _, _ in rows} == set(BUDGET)
    if not complete or total <= TOTAL_BUDGET:
        return ""
    longest = sorted(rows, key=lambda row: -row[1])[:3]
    names = ", ".join(f"{name} {seconds:.0f} s" for name, seconds, _ in longest)
    return (
        f"all lectures together computed for {total:.0f} s; they may take "
        f"{TOTAL_BUDGET} s. The longest: {names}"
    )
