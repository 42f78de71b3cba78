"""One submission folder: read it, make jobs of it, put the results together."""

import hashlib
import os
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from nbformat import NotebookNode
from nbgrader import utils

from course_tools.grading.bridge import files
from course_tools.grading.course.records import STOPPED_CELL
from course_tools.grading.limits import (
    INCIDENTS,
    NOTEBOOK_BYTES,
    SHOWN_NAME_CHARACTERS,
    STAMP_BYTES,
    Limits,
)
from course_tools.grading.messages import CellReport, Files, Job, Question, Result, Row
from course_tools.grading.plan import planning, rebuild
from course_tools.grading.plan.answer_key import AnswerKey, AnswerKeys
from course_tools.grading.run import results
from course_tools.grading.text import writable

if TYPE_CHECKING:
    from hashlib import _Hash


@dataclass(frozen=True)
class Task:
    """What all submissions of an assignment are graded with."""

    keys: AnswerKeys
    limits: Limits
    judge_files: Files  # that lie beside the instructor's notebooks

    @property
    def max_score(self) -> float:
        return sum(key.max_score for key in self.keys.values())


@dataclass
class Submission:
    """What was handed in by one student, made safe, with its jobs and results."""

    student: str
    folder: str
    notebooks: dict[str, NotebookNode] = field(default_factory=dict)
    questions: dict[str, list[Question]] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)  # that are still to be run
    incidents: list[str] = field(default_factory=list)
    digest: str = ""
    timestamp: datetime | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    failed: bool = False  # by the machine, not by the student

    def take(self, name: str, task: Task, result: Result) -> None:
        """Take over the result of the job of one notebook."""
        del self.jobs[name]
        self.questions[name] = results.fill_in(
            self.notebooks[name], task.keys[name], result, task.limits
        )
        for report in result.reports:
            if isinstance(report, CellReport) and report.lost:
                self.incidents.append(f"{STOPPED_CELL}: {report.lost}")
        self.incidents.extend(result.incidents)
        self.seconds += result.seconds
        self.cpu += result.cpu
        self.failed = self.failed or not result.complete

    def fail(self, name: str, task: Task, reason: str) -> None:
        """The job of one notebook could not be run at all."""
        del self.jobs[name]
        self.questions[name] = results.unreadable(task.keys[name], reason)
        self.incidents.append(reason)
        self.failed = True

    def row(self, task: Task, score: float, status: str = "") -> Row:
        """Return the row of the report."""
        several = len(task.keys) > 1
        questions = [
            replace(question, id=f"{name}/{question.id}") if several else question
            for name in task.keys
            for question in self.questions.get(name, [])
        ]
        return Row(
            student=writable(self.student),
            score=score,
            max_score=task.max_score,
            status=status or ("graded" if self.notebooks else "unreadable"),
            seconds=round(self.seconds, 3),
            cpu=round(self.cpu, 3),
            questions=tuple(questions),
            incidents=_few(dict.fromkeys(map(writable, self.incidents))),
        )


def read(student: str, folder: str, task: Task) -> Submission:
    """Read a submission; whatever is wrong with it ends up in its incidents."""
    submission = Submission(student, folder)
    if os.path.islink(folder):
        submission.digest = "link"
        return _all_unreadable(submission, task, "the folder is a link")
    own = files.collect(folder, submission.incidents)
    submission.timestamp = _timestamp(own, submission.incidents)
    beside = {**own, **task.judge_files}
    digest = hashlib.sha256(repr(sorted(task.judge_files.items())).encode())
    submission.incidents.extend(_unknown_notebooks(folder, task.keys))
    for name in task.keys:
        _read_notebook(submission, name, task, beside, digest)
    for name, data in sorted(beside.items()):
        digest.update(os.fsencode(name) + b"\0" + data)
    submission.digest = digest.hexdigest()
    return submission


def unreadable(student: str, folder: str, task: Task, reason: str) -> Submission:
    """Return a submission of which nothing could be read."""
    return _all_unreadable(Submission(student, folder), task, reason)


def _all_unreadable(submission: Submission, task: Task, reason: str) -> Submission:
    submission.incidents.append(reason)
    submission.questions = {
        name: results.unreadable(key, reason) for name, key in task.keys.items()
    }
    return submission


def _timestamp(own: Files, incidents: list[str]) -> datetime | None:
    """Return when it was handed in, or None; nbgrader keeps it in timestamp.txt."""
    if "timestamp.txt" not in own:
        return None
    try:
        stamp = own["timestamp.txt"]
        if len(stamp) > STAMP_BYTES:
            raise ValueError("too long")
        return utils.parse_utc(stamp.decode().strip())
    except Exception:
        incidents.append("the time stamp of the submission cannot be read")
        return None


def _unknown_notebooks(folder: str, keys: AnswerKeys) -> list[str]:
    """Return what to say of notebooks that have another name than expected."""
    names = os.listdir(folder)
    present = {n.removesuffix(".ipynb") for n in names if n.endswith(".ipynb")}
    extra, missing = sorted(present - set(keys)), sorted(set(keys) - present)
    if len(present) == len(extra) == len(missing) == 1:
        return [
            f"the notebook is called {_short(extra[0])}.ipynb, expected "
            f"{missing[0]}.ipynb: rename it and grade again"
        ]
    return [f"unknown notebook left out: {_short(name)}" for name in extra]


def _short(name: str) -> str:
    """Names of files may hold bytes that are no text."""
    return writable(name)[:SHOWN_NAME_CHARACTERS]


def _read_notebook(
    submission: Submission, name: str, task: Task, beside: Files, digest: "_Hash"
) -> None:
    key = task.keys[name]
    digest.update(key.fingerprint)
    try:
        data = _read_file(os.path.join(submission.folder, name + ".ipynb"))
        digest.update(data)
        cells = rebuild.parse(data)
    except rebuild.Unreadable as error:
        submission.incidents.append(f"{name}: {error}")
        submission.questions[name] = results.unreadable(key, str(error))
        return
    notebook = rebuild.rebuild(cells, key, submission.incidents)
    submission.notebooks[name] = notebook
    plan = planning.make_plan(notebook, key, task.limits)
    submission.jobs[name] = Job(plan, beside, task.judge_files, name)


def solved_jobs(task: Task) -> dict[str, Job]:
    """Return the instructor's own notebooks as jobs, where their files are there."""
    return {name: _solved(key, task) for name, key in task.keys.items() if key.written}


def _solved(key: AnswerKey, task: Task) -> Job:
    cells = [rebuild.plain_cell(cell) for cell in key.written]
    notebook = rebuild.rebuild(cells, key, [])
    plan = planning.make_plan(notebook, key, task.limits)
    return Job(plan, task.judge_files, task.judge_files)


def _read_file(path: str) -> bytes:
    """Return the bytes of a notebook file, refusing links and devices."""
    incidents: list[str] = []
    data = None
    if os.path.lexists(path):
        data = files.read_plain(path, NOTEBOOK_BYTES, incidents, "the notebook")
    if data is None:
        raise rebuild.Unreadable(incidents[0] if incidents else "notebook not found")
    return data


def _few(incidents: dict[str, None]) -> tuple[str, ...]:
    """A report is to be read: who makes a thousand incidents is named once."""
    shown = list(incidents)[:INCIDENTS]
    more = len(incidents) - len(shown)
    return (*shown, f"… and {more} more") if more else tuple(shown)
