"""An answer key read from a released notebook, as a student has it at home.

There is no gradebook and no solution there. Locked cells and tests are taken as they
stand, without hidden checks, and what a solution would tell about the names to write
is learned from the answers themselves.
"""

from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from course_tools.grading.plan.answer_key import AnswerKey, KeyCell, read_rules
from course_tools.grading.plan.hidden_tests import without_hidden
from course_tools.grading.plan.solution_facts import learn


def meta(cell: NotebookNode) -> dict[str, Any]:
    return cell.metadata.get("nbgrader", {})


def is_graded(cell: NotebookNode) -> bool:
    return bool(meta(cell).get("grade"))


def is_untouched(cell: NotebookNode) -> bool:
    """Whether a cell is still as it was released."""
    return meta(cell).get("checksum") == compute_checksum(cell)


def read_key(name: str, book: NotebookNode) -> AnswerKey:
    """Return the key that the notebook itself contains."""
    cells = list(book.cells)
    own = [_key_cell(cell) for cell in cells if meta(cell).get("grade_id")]
    answers = [(c.name, c.source) for c in own if c.solution and c.cell_type == "code"]
    plain = [
        cell.source
        for cell in cells
        if cell.cell_type == "code" and not meta(cell).get("grade_id")
    ]
    known = {cell.name: cell for cell in own}
    rules = read_rules(book.metadata, name, known)
    return AnswerKey(name, known, solution=learn(answers, plain), rules=rules)


def _key_cell(cell: NotebookNode) -> KeyCell:
    fields = meta(cell)
    return KeyCell(
        fields["grade_id"],
        cell.cell_type,
        without_hidden(cell.source) if fields.get("locked") else cell.source,
        fields.get("checksum", ""),
        locked=bool(fields.get("locked")),
        grade=is_graded(cell),
        solution=bool(fields.get("solution")),
        task=bool(fields.get("task")),
        points=float(fields.get("points") or 0),
    )
