"""One notebook of one submission, from plan to verdicts.

A pure function of the job: it may run in this process, in a pool, or on another
machine. It starts the judge and the student's process, listens to the judge, and
replaces the student's process when the judge asks for it.
"""

import collections
import contextlib
import math
import os
import signal
import socket
import time

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
from course_tools.grading.run import zygote_client
from course_tools.grading.sandbox import cgroups


class Disturbed(Exception):
    """Something outside ended a process of ours."""


class Attempt:
    """The two processes of one run of a plan, and what was heard from them."""

    def __init__(
        self, job, zygote, slot, group, prepared=None, deadline=math.inf, turn=None
    ):
        self.job = job
        self.plan = job["plan"]
        self.students = self.judges = zygote  # who forks them
        self.slot = slot
        self.group = group
        self.limits = Limits.from_dict(self.plan["limits"])
        self.judge_limits = Limits(
            memory=self.limits.memory, cpu_seconds=JUDGE_CPU_SECONDS
        )
        self.student = None
        self.reports = []
        self.incidents = []
        self.cpu = 0.0
        self.deadline = deadline  # for all attempts together
        self.out_of_time = False
        self.turn = turn or contextlib.nullcontext()
        self.waited = 0.0
        if prepared is not None:
            self.students, self.judges = prepared.student, prepared.judge
            self.plan = dict(self.plan, done=len(prepared.cells))
            self.reports = prepared.first_reports(self.plan)

    def run(self):
        """Return True when the judge went through the whole plan, or time is over."""
        judge = self.judges.fork("judge", self.judge_limits, 2 * self.slot + 1)
        try:
            control = Wire(judge.connection, message_limit=CONTROL_BYTES)
            zygote_client.give_files(judge, self.job["judge_files"], PATIENCE_SECONDS)
            return self._both(control)
        finally:
            ended_before = judge.ended()
            usage = judge.end()
            self.cpu += usage["cpu"]
            status = usage["status"]
            if ended_before and os.WTERMSIG(status) == signal.SIGKILL:
                raise Disturbed("the judge was killed from outside")

    def _both(self, control):
        """Begin when it is this job's turn; forking and ending take none."""
        try:
            self._new_student()
            asked = time.monotonic()
            with self.turn:
                self.waited = time.monotonic() - asked
                self.deadline += self.waited
                control.send(self.plan)
                return self._listen(control)
        finally:
            self._end_student(self.reports[-1]["lost"] if self.reports else None)

    def rehearse(self, control):
        """Go through the plan with a judge that has it already."""
        try:
            self._new_student()
            return self._listen(control)
        finally:
            self._end_student(self.reports[-1]["lost"] if self.reports else None)

    def _new_student(self):
        """Fork a student process and give it its files."""
        self.student = self.students.fork(
            "student", self.limits, 2 * self.slot, self.group
        )
        try:
            zygote_client.give_files(self.student, self.job["files"], PATIENCE_SECONDS)
        except WireError:
            self.incidents.append("the process ended before the first cell")

    def _hand_over(self, control):
        """Give the connection to the student's process to the judge."""
        socket.send_fds(control.connection, [b"."], [self.student.connection.fileno()])
        self.student.connection.close()
        self.student.connection = None

    def _end_student(self, lost):
        """End the student's process; `lost` is what the judge said of it, if it did."""
        if self.student is None:
            return
        child, self.student = self.student, None
        if child.children():
            self.incidents.append("left a process running")
        # its connection closes a moment before it has ended
        ended_before = child.ended(CLOSING_SECONDS if lost == ENDED else 0.0)
        usage = child.end()
        self.cpu += usage["cpu"]
        number = os.WTERMSIG(usage["status"]) if ended_before else 0
        if self.group.out_of_memory():
            self.incidents.append("ran out of memory")
        elif usage["cpu"] >= self.limits.cpu_seconds - 1:
            self.incidents.append("used up its cpu time")
        elif number == signal.SIGKILL and self.students.mode != "none":
            # the first process of a process space cannot kill itself so
            raise Disturbed("the student's process was killed from outside")
        elif number:
            self.incidents.append(f"killed by signal {number}")

    def _listen(self, control):
        """Collect the judge's reports until it is done or gone."""
        self._hand_over(control)
        while True:
            patience = time.monotonic() + self._patience()
            control.deadline = min(patience, self.deadline)
            try:
                report, _ = control.receive()
            except (PeerGone, PeerSilent):
                self.out_of_time = time.monotonic() >= self.deadline
                return self.out_of_time
            if report["event"] == "done":
                return True
            if report["event"] == "restart":
                self._end_student(report["lost"])
                self._new_student()
                self._hand_over(control)
            else:
                self.reports.append(report)

    def next_cell(self):
        """Return the index of the first cell without a report, or None."""
        reported = {report["index"] for report in self.reports}
        cells = self.plan["cells"]
        return next((c["index"] for c in cells if c["index"] not in reported), None)

    def _patience(self):
        """A question, and the repetition of all cells before it, must fit in."""
        cells = len(self.plan["cells"])
        return self.limits.cell_seconds * min(cells + 2, TOTAL_CELLS) + PATIENCE_SECONDS


def run(job, zygote, slot, group=None, prepared=None, turn=None):
    """Run a job; return reports per cell, incidents and times.

    An attempt that was disturbed from outside is made again. If the judge itself
    ends twice at the same cell, that cell is left out, and the rest is graded. When
    the time for all of it is over, what was reported so far counts. `turn` is held
    while the two processes work, not while they are made and ended.
    """
    start = time.perf_counter()
    limits = Limits.from_dict(job["plan"]["limits"])
    deadline = time.monotonic() + limits.all_seconds
    group = group or cgroups.NoGroup()
    ends = collections.Counter()
    waited = 0.0
    for left in reversed(range(JOB_ATTEMPTS)):
        attempt = Attempt(job, zygote, slot, group, prepared, deadline + waited, turn)
        try:
            complete = attempt.run()
        except (Disturbed, WireError, OSError):
            complete = False
            if left:
                continue
        finally:
            waited += attempt.waited
        if complete or not left:
            break
        stopped_at = attempt.next_cell()
        ends[stopped_at] += 1
        if ends[stopped_at] > 1:
            job = without_cell(job, stopped_at)
    if not complete:
        attempt.incidents.append("grading was disturbed and did not finish")
    seconds = time.perf_counter() - start - waited
    return _result(attempt, complete=complete, seconds=seconds)


def _result(attempt, **others):
    if attempt.out_of_time:
        seconds = attempt.limits.all_seconds
        attempt.incidents.append(f"took longer than {seconds:g} s in all")
    return {
        "reports": attempt.reports,
        "incidents": list(dict.fromkeys(attempt.incidents)),
        "out_of_time": attempt.out_of_time,
        "cpu": attempt.cpu,
        **others,
    }


def without_cell(job, index):
    """Return the job with one test cell left out: it ended the judge."""
    cells = [cell for cell in job["plan"]["cells"] if cell["index"] != index]
    return dict(job, plan=dict(job["plan"], cells=cells))
