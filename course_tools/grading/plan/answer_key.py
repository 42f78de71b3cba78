"""The instructor's version of an assignment, as the gradebook and source hold it."""

import ast
import functools
import json
import os
from dataclasses import dataclass, field
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.api import Notebook as NotebookRow

from course_tools.grading import rules
from course_tools.grading.messages import SolutionFacts
from course_tools.grading.plan import hidden_tests
from course_tools.grading.plan.solution_facts import learn, parse
from course_tools.grading.rules import Rules

# Some parts of torch import a great deal when first used; words stand for those.
SLOW = {
    "optim Adam SGD": "sympy torch.fx.experimental.symbolic_shapes torch._dynamo",
    "gradcheck autograd.functional": "sympy torch.fx.experimental.symbolic_shapes",
    "DataFrame read_csv": "pandas",
}
SourceCell = dict[str, Any]  # of the instructor's file, as JSON has it


@dataclass(frozen=True)
class KeyCell:
    """One cell the instructor gave an id: what it is and, if locked, its text."""

    name: str
    cell_type: str
    source: str
    checksum: str
    locked: bool
    grade: bool = False
    solution: bool = False
    task: bool = False
    points: float = 0.0

    @property
    def is_test(self) -> bool:
        return self.grade and not self.solution and self.cell_type == "code"


@dataclass(frozen=True)
class AnswerKey:
    """The cells of one notebook in the instructor's order, and facts about them."""

    name: str
    cells: dict[str, KeyCell] = field(default_factory=dict)
    solution: SolutionFacts = field(default_factory=SolutionFacts)
    kernelspec: dict[str, str] | None = None
    marks: tuple[str, str] = hidden_tests.MARKS  # around hidden tests
    warm: tuple[str, ...] = ()  # modules worth importing beforehand
    written: tuple[SourceCell, ...] = ()  # the cells of the instructor's file
    rules: Rules = Rules()

    @property
    def max_score(self) -> float:
        return sum(cell.points for cell in self.cells.values())

    @functools.cached_property
    def fingerprint(self) -> bytes:
        """Bytes that change with any cell, and with what is known of the solution."""
        known = (list(self.cells.values()), self.solution, self.marks)
        ruled = () if self.rules == Rules() else (self.rules,)
        return repr(known + ruled).encode()


AnswerKeys = dict[str, AnswerKey]  # by the name of the notebook


def read(
    gradebook: Gradebook,
    assignment: str,
    source_folder: str,
    marks: tuple[str, str] = hidden_tests.MARKS,
) -> AnswerKeys:
    """Return the keys of all notebooks of an assignment, from an open gradebook."""
    keys = {}
    for row in gradebook.find_assignment(assignment).notebooks:
        path = os.path.join(source_folder, row.name + ".ipynb")
        written, metadata = _read_source(path)
        cells = _in_order(_cells(row), written)
        keys[row.name] = AnswerKey(
            row.name,
            cells=cells,
            solution=_learn(cells, written),
            kernelspec=json.loads(row.kernelspec or "null"),
            marks=marks,
            warm=_slow_modules([_text(cell) for cell in written]),
            written=written,
            rules=read_rules(metadata, path, cells),
        )
    return keys


def is_outdated(key: AnswerKey) -> bool:
    """Whether the source file has other tests, locked cells or points by now."""
    kinds = ("grade", "solution", "locked", "task")
    written = {
        _meta(cell).get("grade_id"): cell
        for cell in key.written
        if any(_meta(cell).get(kind) for kind in kinds)
    }
    written.pop(None, None)
    if not written:
        return False  # no source file: what the gradebook says counts
    return set(written) != set(key.cells) or any(
        cell.points != float(_meta(written[name]).get("points") or 0)
        or (cell.locked and cell.source != _text(written[name]))
        for name, cell in key.cells.items()
    )


def _cells(row: NotebookRow) -> dict[str, KeyCell]:
    points = {cell.name: float(cell.max_score) for cell in row.grade_cells}
    tasks = {cell.name: float(cell.max_score) for cell in row.task_cells}
    solutions = {cell.name for cell in row.solution_cells}
    return {
        cell.name: KeyCell(
            cell.name,
            cell.cell_type,
            cell.source,
            cell.checksum,
            locked=bool(cell.locked),
            grade=cell.name in points,
            solution=cell.name in solutions,
            task=cell.name in tasks,
            points=tasks.get(cell.name, points.get(cell.name, 0.0)),
        )
        for cell in row.source_cells
    }


def read_rules(
    metadata: dict[str, Any], where: str, cells: dict[str, KeyCell]
) -> Rules:
    """The rules of a notebook; CommandError if one of them makes no sense."""
    tests = [cell.name for cell in cells.values() if cell.is_test]
    locked = [c.name for c in cells.values() if c.locked and c.name not in tests]
    return rules.read(metadata, where, tests, locked)


def _read_source(path: str) -> tuple[tuple[SourceCell, ...], dict[str, Any]]:
    """Cells and metadata of the instructor's own file; none if it is not there."""
    try:
        with open(path, encoding="utf-8") as file:
            book = json.load(file)
            return tuple(book["cells"]), book.get("metadata", {})
    except (OSError, ValueError, KeyError):
        return (), {}


def _in_order(
    cells: dict[str, KeyCell], written: tuple[SourceCell, ...]
) -> dict[str, KeyCell]:
    order = [_meta(cell).get("grade_id") for cell in written]
    known = [name for name in order if name in cells]
    return {name: cells[name] for name in dict.fromkeys([*known, *cells])}


def _meta(cell: SourceCell) -> dict[str, Any]:
    return cell.get("metadata", {}).get("nbgrader", {})


def _text(cell: SourceCell) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _learn(cells: dict[str, KeyCell], written: tuple[SourceCell, ...]) -> SolutionFacts:
    """Solutions come from the source file; without it, the stubs must do."""
    solutions = [
        (cell.name, cell.source)
        for cell in cells.values()
        if cell.solution and cell.cell_type == "code"
    ]
    plain = []
    for cell in written:
        if cell.get("cell_type") != "code":
            continue
        meta = _meta(cell)
        if meta.get("solution"):
            solutions.append((meta["grade_id"], _text(cell)))
        elif not meta.get("grade_id"):
            plain.append(_text(cell))
    return learn(solutions, plain)


def _slow_modules(sources: list[str]) -> tuple[str, ...]:
    """Return modules worth importing before the fork: those the notebook imports."""
    text = "\n".join(sources)
    modules = {
        name
        for words, names in SLOW.items()
        if any(word in text for word in words.split())
        for name in names.split()
    }
    for source in sources:
        for node in ast.walk(parse(source)):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
    return tuple(sorted(modules))
