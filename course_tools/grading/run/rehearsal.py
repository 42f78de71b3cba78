"""Warm processes for one notebook: its first locked cells are done, on both sides.

The client of `prologue`. If those cells cannot be run beforehand (they fail, write
files, start threads), or a submission has cells of its own before them, every
submission runs them itself, as it would have without this module.
"""

import contextlib
import hashlib
import threading
import time

from course_tools.grading.bridge.wire import Wire, WireError
from course_tools.grading.limits import (
    CONTROL_BYTES,
    REHEARSAL_PATIENCE_SECONDS,
    REMARK_CHARACTERS,
    Limits,
)
from course_tools.grading.run import zygote_client
from course_tools.grading.run.job import Attempt, Disturbed, run
from course_tools.grading.sandbox import cgroups


class Prepared:
    """Who forks the two processes of a submission, and what was shown before that."""

    def __init__(self, student, judge, cells, reports, remarks):
        self.student = student
        self.judge = judge
        self.cells = cells
        self.reports = reports
        self.remarks = remarks

    def fits(self, plan):
        """Does the submission begin with the very cells that have been run?"""
        first = plan["cells"][: len(self.cells)]
        return _without_index(first) == _without_index(self.cells)

    def first_reports(self, plan):
        """Return the reports of these cells, where they stand in this submission."""
        pairs = zip(plan["cells"], self.reports, strict=False)
        return [
            {"event": "cell", "index": cell["index"], "lost": None, **report}
            for cell, report in pairs
        ]

    def close(self):
        self.judge.close()
        if self.cells:
            self.student.close()


def _without_index(cells):
    return [{**cell, "index": None} for cell in cells]


class Rehearsals:
    """The instructor's own notebooks as jobs, by name; prepares when first needed."""

    def __init__(self, jobs=None):
        self.jobs = jobs or {}
        self.keys = {name: _key(job) for name, job in self.jobs.items()}
        self.told = {}  # by key: what the instructor should know
        self.lock = threading.Lock()

    def prepared(self, zygote, job, slot):
        """Return what is prepared for this job, or None."""
        name = job.get("notebook")
        if name not in self.jobs or zygote.mode == "none":
            return None
        key = self.keys[name]
        with self.lock:
            if key not in zygote.prepared:
                made = prepare(zygote, self.jobs[name], slot)
                zygote.prepared[key] = made
                if made is None or made.remarks is None:
                    self._try_solution(name, zygote, slot, made)
                else:
                    self.told[key] = made.remarks
        found = zygote.prepared[key]
        return found if found is not None and found.fits(job["plan"]) else None

    def _try_solution(self, name, zygote, slot, made):
        """Without a rehearsal the solution is graded like a submission."""
        task = self.jobs[name]
        if self.keys[name] not in self.told:
            result = run(task, zygote, slot, prepared=made)
            self.told[self.keys[name]] = remarks(result["reports"], task["plan"])

    def remarks(self, job):
        """Return in which questions of this notebook the solution loses points."""
        return self.told.get(self.keys.get(job.get("notebook")), [])


def _key(job):
    """Return a text that is the same only for the same notebook and files."""
    files = sorted(job["judge_files"].items())
    return hashlib.sha256(repr((job["plan"], files)).encode()).hexdigest()


def prepare(zygote, job, slot):
    """Run the first locked cells on both sides, and rehearse if that can be done."""
    plan = job["plan"]
    cells = plan["cells"][: plan["prologue"]]
    student, reports = _student_side(zygote, job, cells)
    if student is None:
        return None
    made = Prepared(student, None, cells, reports, None)
    for rehearse in (True, False):
        made.judge = zygote.split_off("judge", _limits(plan))
        with contextlib.suppress(WireError, Disturbed, OSError):
            if _judge_side(job, slot, made, rehearse):
                return made
        made.judge.close()
    if cells:
        student.close()
    return None


def _limits(plan):
    return Limits.from_dict(plan["limits"])


def _student_side(zygote, job, cells):
    """Return who forks students' processes, and the reports of the first cells."""
    if not cells:
        return zygote, []
    student = zygote.split_off("student", _limits(job["plan"]))
    with contextlib.suppress(WireError), student.child.connection:
        # nothing of the solution: students' processes are forked from this one
        plan = {"cells": cells, "limits": job["plan"]["limits"]}
        control = _begin(student.child, job, plan)
        answer, _ = control.receive()
        if answer["fine"]:
            return student, answer["reports"]
    student.close()
    return None, []


def _judge_side(job, slot, made, rehearse):
    """Have the judge's side run them; True when it is ready to fork judges."""
    child = made.judge.child
    with child.connection:
        plan = dict(job["plan"], rehearse=rehearse, done=len(made.cells))
        control = _begin(child, job, plan)
        answer, _ = control.receive()
        if answer["fine"] and answer["rehearse"]:
            attempt = Attempt(job, made.student, slot, cgroups.NoGroup(), made)
            attempt.rehearse(control)
            found = remarks(attempt.reports, plan)
            answer, _ = control.receive()
            made.remarks = found if answer["fine"] else None
        return answer["fine"]


def _begin(child, job, plan):
    zygote_client.give_files(child, job["judge_files"])
    control = Wire(child.connection, message_limit=CONTROL_BYTES)
    seconds = _limits(plan).cell_seconds
    patience = REHEARSAL_PATIENCE_SECONDS + seconds * (len(plan["cells"]) + 1)
    control.deadline = time.monotonic() + patience
    control.send(plan)
    return control


def remarks(reports, plan):
    """Return what the instructor should know: questions their own solution loses."""
    points = {cell["index"]: cell["points"] for cell in plan["cells"]}
    found = []
    for report in reports:
        if report["event"] == "verdict" and report["score"] < points[report["index"]]:
            error = report["error"] or {"message": report["said"][0]}
            found.append(
                f"{report['grade_id']}: {error['message'][:REMARK_CHARACTERS]}"
            )
    return found
