"""The instructor's version of an assignment, as the gradebook and source hold it."""

import ast
import functools
import json
import os
from dataclasses import dataclass, field

from course_tools.grading.plan import hidden
from course_tools.grading.plan.solution_facts import Knowledge, learn, parse

SLOW = {
    "optim Adam SGD": "sympy torch.fx.experimental.symbolic_shapes torch._dynamo",
    "gradcheck autograd.functional": "sympy torch.fx.experimental.symbolic_shapes",
    "DataFrame read_csv": "pandas",
}


@dataclass
class TrueCell:
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
    def is_test(self):
        return self.grade and not self.solution and self.cell_type == "code"


@dataclass
class TrueNotebook:
    """The cells of one notebook in the instructor's order, and facts about them."""

    name: str
    cells: dict = field(default_factory=dict)
    kernelspec: dict = None
    knowledge: Knowledge = None
    max_score: float = 0.0
    marks: tuple = hidden.MARKS  # around hidden tests
    warm: list = field(default_factory=list)
    solved: list = field(default_factory=list)  # the cells of the instructor's file

    @functools.cached_property
    def fingerprint(self):
        """Bytes that change with any cell, and with what is known of the solution."""
        cells = [vars(cell) for cell in self.cells.values()]
        return repr((cells, self.knowledge, self.marks)).encode()


def read(gradebook, assignment, source_folder, marks=hidden.MARKS):
    """Return {notebook name: TrueNotebook} from an open gradebook."""
    found = {}
    for notebook in gradebook.find_assignment(assignment).notebooks:
        true = TrueNotebook(notebook.name, marks=marks)
        true.kernelspec = json.loads(notebook.kernelspec or "null")
        true.cells = _cells(notebook)
        path = os.path.join(source_folder, notebook.name + ".ipynb")
        written = _read_source(path)
        true.cells = _in_order(true.cells, written)
        true.knowledge = _knowledge(true.cells, written)
        true.warm = _slow_modules([_text(cell) for cell in written])
        true.solved = written
        true.max_score = sum(cell.points for cell in true.cells.values())
        found[notebook.name] = true
    return found


def is_outdated(true):
    """Whether the source file has other tests, locked cells or points by now."""
    kinds = ("grade", "solution", "locked", "task")
    written = {
        _meta(cell).get("grade_id"): cell
        for cell in true.solved
        if any(_meta(cell).get(kind) for kind in kinds)
    }
    written.pop(None, None)
    if not written:
        return False  # no source file: what the gradebook says counts
    return set(written) != set(true.cells) or any(
        cell.points != float(_meta(written[name]).get("points") or 0)
        or (cell.locked and cell.source != _text(written[name]))
        for name, cell in true.cells.items()
    )


def _cells(notebook):
    cells = {
        cell.name: TrueCell(
            cell.name, cell.cell_type, cell.source, cell.checksum, bool(cell.locked)
        )
        for cell in notebook.source_cells
    }
    for cell in notebook.grade_cells:
        cells[cell.name].grade = True
        cells[cell.name].points = float(cell.max_score)
    for cell in notebook.task_cells:
        cells[cell.name].task = True
        cells[cell.name].points = float(cell.max_score)
    for cell in notebook.solution_cells:
        cells[cell.name].solution = True
    return cells


def _read_source(path):
    """Return the cells of the instructor's own file, or none if it is not there."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)["cells"]
    except (OSError, ValueError, KeyError):
        return []


def _in_order(cells, written):
    order = [_meta(cell).get("grade_id") for cell in written]
    known = [name for name in order if name in cells]
    return {name: cells[name] for name in dict.fromkeys([*known, *cells])}


def _meta(cell):
    return cell.get("metadata", {}).get("nbgrader", {})


def _text(cell):
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _knowledge(cells, written):
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


def _slow_modules(sources):
    """Return modules worth importing before the fork: those the notebook imports.

    Some parts of torch import a great deal when first used; words stand for those.
    """
    text = "\n".join(sources)
    found = {
        name
        for words, names in SLOW.items()
        if any(word in text for word in words.split())
        for name in names.split()
    }
    for source in sources:
        for node in ast.walk(parse(source)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
    return sorted(found)
