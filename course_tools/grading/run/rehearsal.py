"""Warm processes for one notebook: its first locked cells are done, on both sides.

The client of zygote.rehearsal_worker. If those cells cannot be run beforehand (they
fail, write files, start threads), or a submission has cells of its own before them,
every submission runs them itself, as it would have without this module.
"""

import contextlib
import hashlib
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from course_tools.grading.bridge import files
from course_tools.grading.bridge.shown import only_text
from course_tools.grading.bridge.wire import Wire, WireError
from course_tools.grading.limits import (
    CONTROL_BYTES,
    PATIENCE_SECONDS,
    REHEARSAL_PATIENCE_SECONDS,
    REMARK_CHARACTERS,
)
from course_tools.grading.messages import (
    Cell,
    CellAnswer,
    CellOutcome,
    Job,
    Plan,
    Prologue,
    PrologueDone,
    Verdict,
)
from course_tools.grading.run.job import Attempt, Disturbed, Place, Prepared, run
from course_tools.grading.run.zygote_client import Forker, NotebookClient
from course_tools.grading.validate import BadMessage, decode, encode


class Rehearsals:
    """The instructor's own notebooks as jobs, by name; prepares when first needed."""

    def __init__(self, jobs: Mapping[str, Job] | None = None) -> None:
        self.jobs = jobs or {}
        self.keys = {name: _key(job) for name, job in self.jobs.items()}
        self.known_remarks: dict[str, tuple[str, ...]] = {}  # by key
        # by warm process and key; None: nothing can be prepared
        self.ready: dict[tuple[Forker, str], Prepared | None] = {}
        self.lock = threading.Lock()

    def prepared(self, job: Job, place: Place) -> Prepared | None:
        """Return what is prepared for this job, or None."""
        zygote = cast(Forker, place.zygote)
        if job.notebook not in self.jobs or zygote.mode == "none":
            return None
        key = self.keys[job.notebook]
        with self.lock:
            if (zygote, key) not in self.ready:
                self.ready[zygote, key] = self._prepare(job.notebook, key, place)
        ready = self.ready[zygote, key]
        return ready if ready is not None and ready.fits(job.plan) else None

    def _prepare(self, notebook: str, key: str, place: Place) -> Prepared | None:
        """Without a rehearsal the solution is graded like a submission."""
        solved = self.jobs[notebook]
        ready = prepare(solved, place)
        if ready is not None and ready.remarks is not None:
            self.known_remarks[key] = ready.remarks
        elif key not in self.known_remarks:
            alone = Place(place.zygote, place.slot)
            result = run(solved, alone, ready)
            self.known_remarks[key] = remarks(result.reports, solved.plan)
        return ready

    def remarks(self, job: Job) -> tuple[str, ...]:
        """Return in which questions of this notebook the solution loses points."""
        return self.known_remarks.get(self.keys.get(job.notebook, ""), ())

    def close(self) -> None:
        """End the warm processes that were prepared."""
        for ready in filter(None, self.ready.values()):
            close(ready)
        self.ready.clear()


def close(ready: Prepared) -> None:
    ready.judge.close()
    if isinstance(ready.student, NotebookClient):
        ready.student.close()


def _key(job: Job) -> str:
    """Return a text that is the same only for the same notebook and files."""
    beside = sorted(job.judge_files.items())
    return hashlib.sha256(repr((job.plan, beside)).encode()).hexdigest()


def prepare(job: Job, place: Place) -> Prepared | None:
    """Run the first locked cells on both sides, and rehearse if that can be done."""
    cells = job.plan.cells[: job.plan.prologue]
    zygote = cast(Forker, place.zygote)  # others have the mode "none"
    student, answers = _student_side(job, zygote, cells)
    if student is None:
        return None
    for rehearse in (True, False):
        judge = zygote.split_off("judge", job.plan.limits)
        ready = Prepared(student, judge, cells, answers)
        with contextlib.suppress(WireError, BadMessage, Disturbed, OSError):
            if ready := _judge_side(job, place.slot, ready, rehearse):
                return ready
        judge.close()
    if isinstance(student, NotebookClient):
        student.close()
    return None


def _student_side(
    job: Job, zygote: Forker, cells: tuple[Cell, ...]
) -> tuple[Forker | None, tuple[CellAnswer, ...]]:
    """Return who forks students' processes, and what the first cells showed."""
    if not cells:
        return zygote, ()
    student = zygote.split_off("student", job.plan.limits)
    with contextlib.suppress(WireError, BadMessage), student.bridge:
        # nothing of the solution: students' processes are forked from this one
        # … nor of the referee
        given = tuple(replace(c, source="") if c.alone else c for c in cells)
        task = Prologue(given, job.plan.limits, job.plan.rules)
        control = _begin(student, job, task)
        done = decode(PrologueDone, control.receive()[0])
        if done.fine:
            shown = [only_text(answer.outputs) for answer in done.answers]
            pairs = zip(done.answers, shown, strict=True)
            return student, tuple(replace(a, outputs=texts) for a, texts in pairs)
    student.close()
    return None, ()


def _judge_side(
    job: Job, slot: int, ready: Prepared, rehearse: bool
) -> Prepared | None:
    """Have the judge's side run them; None unless it is ready to fork judges."""
    with ready.judge.bridge:
        plan = replace(job.plan, rehearse=rehearse, done=len(ready.cells))
        control = _begin(ready.judge, job, plan)
        done = decode(PrologueDone, control.receive()[0])
        if done.fine and done.rehearse:
            attempt = Attempt(job, Place(ready.student, slot), ready)
            attempt.rehearse(control)
            done = decode(PrologueDone, control.receive()[0])
            ready = replace(ready, remarks=remarks(attempt.reports, plan))
    return ready if done.fine else None


def _begin(client: NotebookClient, job: Job, task: Plan | Prologue) -> Wire:
    files.send(client.bridge, job.judge_files, PATIENCE_SECONDS)
    control = Wire(client.bridge, message_limit=CONTROL_BYTES)
    cells = task.limits.cell_seconds * (len(task.cells) + 1)
    control.deadline = time.monotonic() + REHEARSAL_PATIENCE_SECONDS + cells
    control.send(encode(task))
    return control


def remarks(reports: Iterable[CellOutcome], plan: Plan) -> tuple[str, ...]:
    """Return what the instructor should know: questions their own solution loses."""
    points = {cell.index: cell.points for cell in plan.cells}
    return tuple(
        f"{report.grade_id}: {report.message[:REMARK_CHARACTERS]}"
        for report in reports
        if isinstance(report, Verdict) and report.score < points[report.index]
    )
