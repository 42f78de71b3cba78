"""From the judge's reports to questions, outputs in the notebook and incidents."""

from nbformat.v4 import new_output

from course_lib.grading import outputs

NOT_REACHED = "not reached: the student's process stopped too often"


def fill_in(notebook, truth, result, limits):
    """Write outputs into `notebook`; return the questions in the instructor's order."""
    reports = {report["index"]: report for report in result["reports"]}
    questions = {}
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        report = reports.get(index)
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        true = truth.cells.get(name)
        if true is not None and true.is_test:
            questions[name] = _question(true, report)
            cell.outputs = _test_outputs(true, report, limits)
            cell.metadata["grading"] = {"public": questions[name]["public"]}
        elif report is not None:
            cell.outputs = _student_outputs(report, limits)
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


def _row(true, score, status, message, public):
    return {
        "id": true.name,
        "score": score,
        "max_score": true.points,
        "status": status,
        "message": message,
        "public": public,
    }


def _question(true, report):
    if report is None:
        return _row(true, 0.0, "lost", NOT_REACHED, NOT_REACHED)
    failure = report["error"]
    if failure is None:
        status = "passed" if report["score"] >= true.points else "partial"
        return _row(true, report["score"], status, *report["said"])
    status = "failed"
    if report["lost"] or failure["type"] == "OutOfTime":
        late = "time" in failure["message"]
        status = "timeout" if late else "lost"
    return _row(true, 0.0, status, failure["message"], failure["public"])


def _test_outputs(true, report, limits):
    """Outputs from which nbgrader's own `determine_grade` reads the same score."""
    if report is None:
        return [outputs.error("NotGraded", NOT_REACHED, [NOT_REACHED])]
    cleaned = outputs.clean(report["outputs"], limits.output)
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
    return new_output("execute_result", data={"text/plain": text})


def _student_outputs(report, limits):
    shown = outputs.clean(report["outputs"], limits.output)
    if report["lost"]:
        text = f"the process was stopped here: {report['lost']}"
        shown.append(outputs.error("Stopped", text, [text]))
    return shown
