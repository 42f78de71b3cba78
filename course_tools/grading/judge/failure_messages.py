"""What is said about a question that lost points: to the instructor, to the student."""

from collections.abc import Collection, Sequence
from typing import Any

from course_tools.grading.judge import hidden_failure
from course_tools.grading.judge.alarm import OutOfTime
from course_tools.grading.judge.judge_link import StudentLost
from course_tools.grading.judge.test_cell import Outcome
from course_tools.grading.limits import HIDDEN_LINES, MESSAGE_CHARACTERS
from course_tools.grading.messages import Cell
from course_tools.grading.plan import hidden_tests


def explain(error: BaseException) -> str:
    """Return the message an instructor sees: type and text of what went wrong."""
    if isinstance(error, StudentLost):
        return f"the student's process stopped: {error.reason}"
    if isinstance(error, OutOfTime):
        return str(error)
    text = _text(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def explain_publicly(
    outcome: Outcome,
    cell: Cell,
    tainted: bool,
    texts: Collection[str],
    names: Collection[str] = (),
) -> str:
    """Return the message a student sees; for `texts` and `names` see hidden_failure.

    `tainted`: hidden checks of earlier questions have run.
    """
    error = outcome.error
    assert error is not None, "there is nothing to explain"
    if isinstance(error, StudentLost):
        return "your code stopped answering: " + error.reason.partition(":")[0]
    if isinstance(error, OutOfTime):
        return "the time for this question was over"
    if not tainted and not reached(outcome, cell):
        return explain(error)
    where = "a hidden check" if outcome.outer in cell.hidden else "a check"
    return hidden_failure.message(outcome, where, _text(error), texts, names)


def reached(outcome: Outcome, cell: Cell) -> bool:
    """Can hidden checks of this question have run?"""
    return hidden_tests.reached(cell.source, cell.hidden, outcome.outer)


def what_it_said(
    outputs: Sequence[dict[str, Any]], texts: Collection[str] | None = None
) -> tuple[str, str]:
    """Return what a test printed beside part of the points: (all, for students).

    With `texts`, hidden checks have run: only these pieces of text are for students.
    """
    own = [item["text"] for item in outputs if item.get("name") == "stdout"]
    lines = [line.strip() for line in "".join(own).splitlines() if line.strip()]
    public = lines
    if texts is not None:
        public = [
            hidden_failure.only_known(line, texts) for line in lines[:HIDDEN_LINES]
        ]
    return "\n".join(dict.fromkeys(lines)), "\n".join(dict.fromkeys(public))


def _text(error: BaseException) -> str:
    try:
        return str(error)[:MESSAGE_CHARACTERS]
    except Exception:
        return ""
