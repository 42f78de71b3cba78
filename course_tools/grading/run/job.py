"""One notebook of one submission, from plan to verdicts.

A pure function of the job: it may run in this process, in a pool, or on another
machine. It starts the judge and the student's process, listens to the judge, and
replaces the student's process when the judge asks for it.
"""

import collections
import contextlib
import math
import signal
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from course_tools.grading.bridge import files
from course_tools.grading.bridge.wire import (
    ENDED,
    PeerGone,
    PeerSilent,
    Wire,
    WireError,
)
from course_tools.grading.limits import (
    CLOSING_SECONDS,
    CONTROL_BYTES,
    JOB_ATTEMPTS,
    JUDGE_CPU_SECONDS,
    PATIENCE_SECONDS,
    TOTAL_CELLS,
    Limits,
)
from course_tools.grading.messages import (
    Cell,
    CellAnswer,
    CellOutcome,
    CellReport,
    Done,
    Files,
    Job,
    Plan,
    Restart,
    Result,
    Side,
    Verdict,
    decode_event,
)
from course_tools.grading.run.processes import Child, Processes
from course_tools.grading.sandbox.no_group import NoGroup
from course_tools.grading.validate import BadMessage, encode

if TYPE_CHECKING:  # these are for Linux alone; a job also runs where there is no fork
    from course_tools.grading.run.zygote_client import Forker, NotebookClient
    from course_tools.grading.sandbox.cgroups import Group

KILLED = getattr(signal, "SIGKILL", None)  # Windows has none


class Disturbed(Exception):
    """Something outside ended a process of ours."""


@dataclass(frozen=True)
class Prepared:
    """Who forks the two processes of a submission, and what was shown before that."""

    student: "Forker"
    judge: "NotebookClient"
    cells: tuple[Cell, ...] = ()  # that have been run on both sides
    answers: tuple[CellAnswer, ...] = ()  # what they showed
    remarks: tuple[str, ...] | None = None  # None: no rehearsal was held

    def fits(self, plan: Plan) -> bool:
        """Does the submission begin with the very cells that have been run?"""
        first = plan.cells[: len(self.cells)]
        return _without_index(first) == _without_index(self.cells)

    def first_reports(self, plan: Plan) -> list[CellOutcome]:
        """Return the reports of these cells, where they stand in this submission."""
        pairs = zip(plan.cells, self.answers, strict=False)
        return [
            CellReport(cell.index, said.outputs, said.success, said.seconds, said.cpu)
            for cell, said in pairs
        ]


def _without_index(cells: tuple[Cell, ...]) -> list[Cell]:
    return [replace(cell, index=0) for cell in cells]


@dataclass(frozen=True)
class Place:
    """Where a job runs: who forks its processes, the slot, its control group."""

    zygote: Processes
    slot: int = 0
    group: "Group" = NoGroup()
    turn: AbstractContextManager[object] = contextlib.nullcontext()


class Attempt:
    """The two processes of one run of a plan, and what was heard from them."""

    def __init__(
        self,
        job: Job,
        place: Place,
        prepared: Prepared | None = None,
        deadline: float = math.inf,
        last: bool = False,
    ) -> None:
        """`deadline` is for all attempts together; after the `last` there is none."""
        self.job = job
        self.plan = job.plan
        self.place = place
        self.students: Processes = place.zygote  # who forks them
        self.judges: Processes = place.zygote
        self.limits = job.plan.limits
        self.student: Child | None = None
        self.reports: list[CellOutcome] = []
        self.incidents: list[str] = []
        self.cpu = 0.0
        self.deadline = deadline
        self.last = last
        self.out_of_time = False
        self.waited = 0.0  # for its turn, and for processes to start
        if prepared is not None:
            self.students, self.judges = prepared.student, prepared.judge
            self.plan = replace(job.plan, done=len(prepared.cells))
            self.reports = prepared.first_reports(self.plan)
        self.cells = {cell.index: cell for cell in self.plan.cells}

    def run(self) -> bool:
        """Return True when the judge went through the whole plan, or time is over."""
        own = Limits(memory=self.limits.memory, cpu_seconds=JUDGE_CPU_SECONDS)
        judge = self._fork("judge", own)
        try:
            control = Wire(judge.bridge, message_limit=CONTROL_BYTES)
            _give_files(judge, self.job.judge_files)
            return self._both(control)
        finally:
            ended_before = judge.ended()
            usage = judge.end()
            self.cpu += usage.cpu
            if ended_before and usage.signal == KILLED:
                raise Disturbed("the judge was killed from outside")

    def _both(self, control: Wire) -> bool:
        """Begin when it is this job's turn; forking and ending take none."""
        try:
            self._new_student()
            asked = time.monotonic()
            with self.place.turn:
                self._waited_since(asked)
                control.send(encode(self.plan))
                return self._listen(control)
        finally:
            self._end_student(self.reports[-1].lost if self.reports else None)

    def rehearse(self, control: Wire) -> bool:
        """Go through the plan with a judge that has it already."""
        try:
            self._new_student()
            return self._listen(control)
        finally:
            self._end_student(self.reports[-1].lost if self.reports else None)

    def _fork(self, role: Side, limits: Limits) -> Child:
        """Have a process made; how long that takes is not held against the student."""
        asked, slot = time.monotonic(), 2 * self.place.slot
        if role == "judge":
            child = self.judges.fork(role, limits, slot + 1)
        else:
            child = self.students.fork(role, limits, slot, self.place.group)
        self._waited_since(asked)
        return child

    def _waited_since(self, moment: float) -> None:
        self.waited += time.monotonic() - moment
        self.deadline += time.monotonic() - moment

    def _new_student(self) -> Child:
        """Fork a student process and give it its files."""
        self.student = self._fork("student", self.limits)
        try:
            _give_files(self.student, self.job.files)
        except WireError:
            self.incidents.append("the process ended before the first cell")
        return self.student

    def _hand_over(self, control: Wire) -> None:
        """Give the connection to the student's process to the judge."""
        if self.student is None:
            raise Disturbed("there is no student's process to hand over")
        self.student.hand_over(control)

    def _end_student(self, lost: str | None) -> None:
        """End the student's process; `lost` is what the judge said of it, if it did."""
        if self.student is None:
            return
        child, self.student = self.student, None
        if child.children():
            self.incidents.append("left a process running")
        # its connection closes a moment before it has ended
        ended_before = child.ended(CLOSING_SECONDS if lost == ENDED else 0.0)
        usage = child.end()
        self.cpu += usage.cpu
        number = usage.signal if ended_before else 0
        if self.place.group.out_of_memory():
            self.incidents.append("ran out of memory")
        elif usage.cpu >= self.limits.cpu_seconds - 1:
            self.incidents.append("used up its cpu time")
        elif number == KILLED and self._from_outside():
            raise Disturbed("the student's process was killed from outside")
        elif number:
            self.incidents.append(f"killed by signal {number}")

    def _from_outside(self) -> bool:
        """The first process of a process space can hardly kill itself.

        Should one find a way, it is not tried for ever: the last time is its own.
        """
        return self.students.mode != "none" and not self.last

    def _listen(self, control: Wire) -> bool:
        """Collect the judge's reports until it is done or gone."""
        self._hand_over(control)
        while True:
            patience = time.monotonic() + self._patience()
            control.deadline = min(patience, self.deadline)
            try:
                event = decode_event(control.receive()[0])
            except (PeerGone, PeerSilent):
                self.out_of_time = time.monotonic() >= self.deadline
                return self.out_of_time
            if isinstance(event, Done):
                return True
            if isinstance(event, Restart):
                self._end_student(event.lost)
                self._new_student()
                self._hand_over(control)
            else:
                self._require_fit(event)
                self.reports.append(event)

    def _require_fit(self, report: CellOutcome) -> None:
        """Refuse what cannot be a report on this plan."""
        cell = self.cells.get(report.index)
        is_verdict = isinstance(report, Verdict)
        if cell is None or is_verdict != (cell.role == "test"):
            raise BadMessage("a report on a cell that is not in the plan")
        if isinstance(report, Verdict) and (
            report.grade_id != cell.grade_id or report.score > cell.points
        ):
            raise BadMessage("a verdict that does not fit its question")

    def next_cell(self) -> int | None:
        """Return the index of the first cell without a report, or None."""
        heard = {report.index for report in self.reports}
        left_out = {index for index, cell in self.cells.items() if cell.left_out}
        return next((i for i in self.cells if i not in heard | left_out), None)

    def _patience(self) -> float:
        """A question, and the repetition of all cells before it, must fit in."""
        cells = min(len(self.plan.cells) + 2, TOTAL_CELLS)
        return self.limits.cell_seconds * cells + PATIENCE_SECONDS


def _give_files(child: Child, beside: Files) -> None:
    files.send(child.bridge, beside, PATIENCE_SECONDS)


def run(job: Job, place: Place, prepared: Prepared | None = None) -> Result:
    """Run a job; return reports per cell, incidents and times.

    An attempt that was disturbed from outside is made again. If the judge itself
    ends twice at the same question, that one is left out, and the rest is graded; at
    any other cell, what follows is lost. When the time for all of it is over, what
    was reported so far counts. The place's turn is held while the two processes work,
    not while they are made and ended.
    """
    start = time.perf_counter()
    deadline = time.monotonic() + job.plan.limits.all_seconds
    ends: collections.Counter[int | None] = collections.Counter()
    waited, left = 0.0, JOB_ATTEMPTS
    while True:
        left -= 1
        attempt = Attempt(job, place, prepared, deadline + waited, last=not left)
        complete, disturbed = _tried(attempt)
        waited += attempt.waited
        stopped_at = attempt.next_cell()
        if not complete and not disturbed:
            ends[stopped_at] += 1
            if ends[stopped_at] > 1:
                job, complete = without_question(job, stopped_at)
        if complete or not left:
            seconds = time.perf_counter() - start - waited
            return _result(attempt, complete, seconds)


def _tried(attempt: Attempt) -> tuple[bool, bool]:
    """Return (did it come to its end, was it disturbed from outside)."""
    try:
        return attempt.run(), False
    except BadMessage:
        return False, False
    except (Disturbed, WireError, OSError):
        return False, True


def _result(attempt: Attempt, complete: bool, seconds: float) -> Result:
    incidents = attempt.incidents
    if not complete:
        incidents.append("grading was disturbed and did not finish")
    if attempt.out_of_time:
        incidents.append(f"took longer than {attempt.limits.all_seconds:g} s in all")
    return Result(
        reports=tuple(attempt.reports),
        incidents=tuple(dict.fromkeys(incidents)),
        complete=complete,
        out_of_time=attempt.out_of_time,
        cpu=attempt.cpu,
        seconds=seconds,
    )


def without_question(job: Job, index: int | None) -> tuple[Job, bool]:
    """Return the job without a question that has ended the judge, and False.

    Only tests are ever left out. If another cell has ended it, there is nothing more
    to be done: (the job, True).
    """
    cells = {cell.index: cell for cell in job.plan.cells}
    if index is None or cells[index].role != "test":
        return job, index is not None
    cells[index] = replace(cells[index], left_out=True)
    return replace(job, plan=replace(job.plan, cells=tuple(cells.values()))), False
