"""From the judge's reports to questions, and outputs in the notebook."""

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_tools.grading.limits import Limits
from course_tools.grading.messages import (
    CellReport,
    Failure,
    Question,
    Result,
    Verdict,
)
from course_tools.grading.pages import outputs
from course_tools.grading.plan.answer_key import AnswerKey, KeyCell
from course_tools.grading.text import writable

NOT_REACHED = "not reached: the student's process stopped too often"
NO_TIME_LEFT = "not reached: the time for the whole notebook was over"


def fill_in(
    notebook: NotebookNode, key: AnswerKey, result: Result, limits: Limits
) -> list[Question]:
    """Write outputs into `notebook`; return the questions in the instructor's order."""
    reports = {report.index: report for report in result.reports}
    questions: dict[str, Question] = {}
    room = outputs.Room(limits)
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        report = reports.get(index)
        own = key.cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if own is not None and own.is_test:
            verdict = report if isinstance(report, Verdict) else None
            verdict = verdict or _not_reached(index, own.name, result.out_of_time)
            questions[own.name] = _question(own, verdict)
            cell.outputs = _test_outputs(own, verdict, room)
            cell.metadata["grading"] = {"public": writable(verdict.public)}
        elif isinstance(report, CellReport):
            cell.outputs = _student_outputs(report, room)
        cell.execution_count = index + 1
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output["execution_count"] = cell.execution_count
    return [questions[name] for name in key.cells if name in questions]


def unreadable(key: AnswerKey, reason: str) -> list[Question]:
    """Return the questions of a notebook that could not be read or is missing."""
    return [
        Question(own.name, 0.0, own.points, "missing", writable(reason))
        for own in key.cells.values()
        if own.is_test
    ]


def _not_reached(index: int, name: str, out_of_time: bool) -> Verdict:
    """Return a verdict for a question that the judge has not come to."""
    text = NO_TIME_LEFT if out_of_time else NOT_REACHED
    return Verdict(
        index,
        name,
        score=0.0,
        seconds=0.0,
        failure=Failure("NotGraded"),
        message=text,
        public=text,
        lost=text,
    )


def _question(own: KeyCell, verdict: Verdict) -> Question:
    """Texts of students may hold halves of characters."""
    message = writable(verdict.message)
    if verdict.breach:
        return Question(own.name, verdict.score, own.points, "breach", message)
    if verdict.failure is None:
        status = "passed" if verdict.score >= own.points else "partial"
        return Question(own.name, verdict.score, own.points, status, message)
    status = "failed"
    if verdict.lost or verdict.failure.type == "OutOfTime":
        status = "timeout" if "time" in message else "lost"
    return Question(own.name, 0.0, own.points, status, message)


def _test_outputs(
    own: KeyCell, verdict: Verdict, room: outputs.Room
) -> list[NotebookNode]:
    """Outputs from which nbgrader's own `determine_grade` reads the same score."""
    safe = room.clean(verdict.outputs)
    shown = [item for item in safe if item.output_type in ("stream", "display_data")]
    for item in shown:
        if item.output_type == "stream":
            item["name"] = "stdout"  # a warning is not an error
    if verdict.failure is not None:
        shown.append(_error(verdict.failure, verdict.message))
    elif verdict.value is not None:
        partial = verdict.score < own.points
        text = repr(verdict.score) if partial else verdict.value
        shown.append(_value(text, own.points))
    return shown


def _error(failure: Failure, message: str) -> NotebookNode:
    lines = [message]
    if failure.line:
        lines.insert(0, f"line {failure.line} of this cell:")
    if failure.traceback:
        lines.append(failure.traceback)
    return outputs.error(failure.type, message, lines)


def _value(text: str, points: float) -> NotebookNode:
    """A last value; numbers above the maximum would make nbgrader stop."""
    try:
        if float(text) > points:
            text = repr(points)
    except ValueError:
        pass
    return new_output("execute_result", data={"text/plain": writable(text)})


def _student_outputs(report: CellReport, room: outputs.Room) -> list[NotebookNode]:
    shown = room.clean(report.outputs)
    if report.lost:
        text = f"the process was stopped here: {report.lost}"
        shown.append(outputs.error("Stopped", text, [text]))
    return shown
