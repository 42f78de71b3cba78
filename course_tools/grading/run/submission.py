"""One submission folder: read it, make jobs of it, put the results together."""

import hashlib
import json
import os
from dataclasses import dataclass, field

from nbgrader import utils

from course_tools.grading.bridge import files
from course_tools.grading.limits import (
    INCIDENTS,
    NOTEBOOK_BYTES,
    SHOWN_NAME_CHARACTERS,
    STAMP_BYTES,
)
from course_tools.grading.plan import planning, rebuild
from course_tools.grading.run import results
from course_tools.grading.text import writable


@dataclass
class Submission:
    """What was handed in by one student, made safe, with its jobs and results."""

    student: str
    folder: str
    notebooks: dict = field(default_factory=dict)
    questions: dict = field(default_factory=dict)
    jobs: dict = field(default_factory=dict)
    incidents: list = field(default_factory=list)
    files: dict = field(default_factory=dict)
    digest: str = ""
    timestamp: object = None
    seconds: float = 0.0
    cpu: float = 0.0
    failed: bool = False


def read(student, folder, truths, limits, judge_files):
    """Read a submission; whatever is wrong with it ends up in its incidents."""
    made = Submission(student, folder)
    if os.path.islink(folder):
        return _all_unreadable(made, truths, "the folder is a link")
    found = files.collect(folder, made.incidents)
    made.timestamp = _timestamp(found, made.incidents)
    made.files = {**found, **judge_files}
    digest = hashlib.sha256(repr(sorted(judge_files.items())).encode())
    made.incidents.extend(_unknown_notebooks(folder, truths))
    for name, truth in truths.items():
        _read_notebook(made, name, truth, limits, judge_files, digest)
    for name, data in sorted(made.files.items()):
        digest.update(os.fsencode(name) + b"\0" + data)
    made.digest = digest.hexdigest()
    return made


def unreadable(student, folder, truths, reason):
    """Return a submission of which nothing could be read."""
    return _all_unreadable(Submission(student, folder), truths, reason)


def _all_unreadable(made, truths, reason):
    made.incidents.append(reason)
    made.questions = {
        name: results.unreadable(truth, reason) for name, truth in truths.items()
    }
    return made


def _timestamp(found, incidents):
    """Return when it was handed in, or None; nbgrader keeps it in timestamp.txt."""
    if "timestamp.txt" not in found:
        return None
    try:
        stamp = found["timestamp.txt"]
        if len(stamp) > STAMP_BYTES:  # the parser would be busy for long
            raise ValueError("too long")
        return utils.parse_utc(stamp.decode().strip())
    except Exception:
        incidents.append("the time stamp of the submission cannot be read")
        return None


def _unknown_notebooks(folder, truths):
    """Return what to say of notebooks that have another name than expected."""
    names = os.listdir(folder)
    found = {n.removesuffix(".ipynb") for n in names if n.endswith(".ipynb")}
    extra, missing = sorted(found - set(truths)), sorted(set(truths) - found)
    if len(found) == len(extra) == len(missing) == 1:
        return [
            f"the notebook is called {_short(extra[0])}.ipynb, expected "
            f"{missing[0]}.ipynb: rename it and grade again"
        ]
    return [f"unknown notebook left out: {_short(name)}" for name in extra]


def _short(name):
    """Names of files may hold bytes that are no text."""
    return writable(name)[:SHOWN_NAME_CHARACTERS]


def _read_notebook(made, name, truth, limits, judge_files, digest):
    path = os.path.join(made.folder, name + ".ipynb")
    digest.update(truth.fingerprint)
    try:
        data = _read_file(path)
        digest.update(data)
        cells = rebuild.parse(data)
    except rebuild.Unreadable as error:
        made.incidents.append(f"{name}: {error}")
        made.questions[name] = results.unreadable(truth, str(error))
        return
    notebook = rebuild.rebuild(cells, truth, made.incidents)
    made.notebooks[name] = notebook
    made.jobs[name] = {
        "notebook": name,
        "plan": planning.make_plan(notebook, truth, limits),
        "files": made.files,
        "judge_files": judge_files,
    }


def rehearsals(truths, limits, judge_files):
    """Return the instructor's own notebooks as jobs, where their files are there."""
    jobs = {}
    for name, truth in truths.items():
        if truth.solved:
            cells = [rebuild.plain_cell(cell) for cell in truth.solved]
            notebook = rebuild.rebuild(cells, truth, [])
            plan = planning.make_plan(notebook, truth, limits)
            jobs[name] = {"plan": plan, "files": judge_files}
            jobs[name]["judge_files"] = judge_files
    return jobs


def _read_file(path):
    """Return the bytes of a notebook file, refusing links and devices."""
    incidents = []
    data = None
    if os.path.lexists(path):
        data = files.read_plain(path, NOTEBOOK_BYTES, incidents, "the notebook")
    if data is None:
        raise rebuild.Unreadable(incidents[0] if incidents else "notebook not found")
    return data


def finish(made, name, truth, result, limits):
    """Take over the result of one job."""
    notebook = made.notebooks[name]
    made.questions[name] = results.fill_in(notebook, truth, result, limits)
    for report in result["reports"]:
        if report["event"] == "cell" and report["lost"]:
            made.incidents.append(f"a cell stopped the process: {report['lost']}")
    made.incidents.extend(result["incidents"])
    made.seconds += result["seconds"]
    made.cpu += result["cpu"]


def failed(made, name, truth, reason):
    """A job could not be run at all."""
    made.questions[name] = results.unreadable(truth, reason)
    made.incidents.append(reason)
    made.failed = True


def row(made, truths, score):
    """Return the row of the report."""
    several = len(truths) > 1
    questions = []
    for name in truths:
        for question in made.questions.get(name, []):
            shown = {key: question[key] for key in question if key != "public"}
            if several:
                shown["id"] = f"{name}/{shown['id']}"
            questions.append(shown)
    status = "graded" if made.notebooks else "unreadable"
    return {
        "student": writable(made.student),
        "score": score,
        "max_score": sum(truth.max_score for truth in truths.values()),
        "status": status,
        "seconds": round(made.seconds, 3),
        "cpu": round(made.cpu, 3),
        "questions": questions,
        "incidents": _few(dict.fromkeys(map(writable, made.incidents))),
    }


def _few(incidents):
    """A report is to be read: who makes a thousand incidents is named once."""
    shown = list(incidents)[:INCIDENTS]
    more = len(incidents) - len(shown)
    return [*shown, f"… and {more} more"] if more else shown


def to_json(notebook):
    """Return the text of a notebook file; to indent it would take ten times as long."""
    return json.dumps(notebook, ensure_ascii=False) + "\n"
