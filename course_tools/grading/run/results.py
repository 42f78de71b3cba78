"""From the judge's reports to questions, outputs in the notebook and incidents."""

from nbformat.v4 import new_output

from course_tools.grading.pages import outputs
from course_tools.grading.text import writable

NOT_REACHED = "not reached: the student's process stopped too often"
NO_TIME_LEFT = "not reached: the time for the whole notebook was over"


def fill_in(notebook, truth, result, limits):
    """Write outputs into `notebook`; return the questions in the instructor's order."""
    reports = {report["index"]: report for report in result["reports"]}
    questions, room = {}, outputs.Room(limits)
    not_reached = _not_reached(result)
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        report = reports.get(index)
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        true = truth.cells.get(name)
        if true is not None and true.is_test:
            questions[name] = _question(true, report or not_reached)
            cell.outputs = _test_outputs(true, report or not_reached, room)
            cell.metadata["grading"] = {"public": questions[name]["public"]}
        elif report is not None:
            cell.outputs = _student_outputs(report, room)
        cell.execution_count = index + 1
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output["execution_count"] = cell.execution_count
    return [questions[name] for name in truth.cells if name in questions]


def unreadable(truth, reason):
    """Return the questions of a notebook that could not be read or is missing."""
    return [
        _row(true, 0.0, "missing", reason, reason)
        for true in truth.cells.values()
        if true.is_test
    ]


def _not_reached(result):
    """Return a report for the questions that the judge has not come to."""
    text = NO_TIME_LEFT if result.get("out_of_time") else NOT_REACHED
    failure = {"type": "NotGraded", "message": text, "public": text}
    failure.update(line=None, student="")
    return {"outputs": [], "score": 0.0, "error": failure, "lost": text}


def _row(true, score, status, message, public):
    """A row of the report; texts of students may hold halves of characters."""
    message, public = writable(message), writable(public)
    return {
        "id": true.name,
        "score": score,
        "max_score": true.points,
        "status": status,
        "message": message,
        "public": public,
    }


def _question(true, report):
    failure = report["error"]
    if failure is None:
        status = "passed" if report["score"] >= true.points else "partial"
        return _row(true, report["score"], status, *report["said"])
    status = "failed"
    if report["lost"] or failure["type"] == "OutOfTime":
        late = "time" in failure["message"]
        status = "timeout" if late else "lost"
    return _row(true, 0.0, status, failure["message"], failure["public"])


def _test_outputs(true, report, room):
    """Outputs from which nbgrader's own `determine_grade` reads the same score."""
    cleaned = room.clean(report["outputs"])
    shown = [item for item in cleaned if item.output_type in ("stream", "display_data")]
    for item in shown:
        if item.output_type == "stream":
            item["name"] = "stdout"  # a warning is not an error
    failure = report["error"]
    if failure is not None:
        lines = [failure["message"]]
        if failure["line"]:
            lines.insert(0, f"line {failure['line']} of this cell:")
        if failure["student"]:
            lines.append(failure["student"])
        shown.append(outputs.error(failure["type"], failure["message"], lines))
    elif report["value"] is not None:
        text = (
            repr(report["score"]) if report["score"] < true.points else report["value"]
        )
        shown.append(_value(text, true.points))
    return shown


def _value(text, points):
    """A last value; numbers above the maximum would make nbgrader stop."""
    try:
        if float(text) > points:
            text = repr(points)
    except ValueError:
        pass
    return new_output("execute_result", data={"text/plain": writable(text)})


def _student_outputs(report, room):
    shown = room.clean(report["outputs"])
    if report["lost"]:
        text = f"the process was stopped here: {report['lost']}"
        shown.append(outputs.error("Stopped", text, [text]))
    return shown
