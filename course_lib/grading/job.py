"""One notebook of one submission, from plan to verdicts.

A pure function of the job: it may run in this process, in a pool, or on another
machine. It starts the judge and the student's process, listens to the judge, and
replaces the student's process when the judge asks for it.
"""

import os
import signal
import socket
import time

from course_lib.grading import cgroups, launch
from course_lib.grading.limits import Limits
from course_lib.grading.wire import PeerGone, PeerSilent, Wire, WireError

PATIENCE = 10.0


class Attempt:
    """The two processes of one run of a plan, and what was heard from them."""

    def __init__(self, job, zygote, slot, group):
        self.job = job
        self.zygote = zygote
        self.slot = slot
        self.group = group
        self.limits = Limits.from_dict(job["plan"]["limits"])
        self.judge_limits = Limits(memory=self.limits.memory, cpu_seconds=3600)
        self.student = None
        self.reports = []
        self.incidents = []
        self.cpu = 0.0

    def run(self):
        """Return True when the judge went through the whole plan."""
        judge = self.zygote.fork("judge", self.judge_limits, 2 * self.slot + 1)
        try:
            control = Wire(judge.connection, message_limit=1 << 30)
            launch.give_files(judge, self.job["judge_files"])
            control.send(self.job["plan"])
            self._new_student(control)
            return self._listen(control)
        finally:
            self._end_student()
            judge.end()

    def _new_student(self, control):
        """Fork a student process and hand its connection to the judge."""
        self.student = self.zygote.fork(
            "student", self.limits, 2 * self.slot, self.group
        )
        try:
            self.student.connection.settimeout(PATIENCE)
            launch.give_files(self.student, self.job["files"])
            self.student.connection.settimeout(None)
        except WireError:
            self.incidents.append("the process ended before the first cell")
        socket.send_fds(control.connection, [b"."], [self.student.connection.fileno()])
        self.student.connection.close()
        self.student.connection = None

    def _end_student(self):
        if self.student is None:
            return
        if self.student.children():
            self.incidents.append("left a process running")
        usage = self.student.end()
        self.cpu += usage["cpu"]
        if self.group.out_of_memory():
            self.incidents.append("ran out of memory")
        elif os.WIFSIGNALED(usage["status"]):
            number = os.WTERMSIG(usage["status"])
            if number not in (signal.SIGKILL, signal.SIGTERM):
                self.incidents.append(f"killed by signal {number}")
        self.student = None

    def _listen(self, control):
        """Collect the judge's reports until it is done or gone."""
        while True:
            control.deadline = time.monotonic() + self._patience()
            try:
                report, _ = control.receive()
            except (PeerGone, PeerSilent):
                return False
            if report["event"] == "done":
                return True
            if report["event"] == "restart":
                self._end_student()
                self._new_student(control)
            else:
                self.reports.append(report)

    def _patience(self):
        """A question, and the repetition of all cells before it, must fit in."""
        cells = len(self.job["plan"]["cells"])
        return self.limits.cell_seconds * min(cells + 2, 20) + PATIENCE


def run(job, zygote, slot, group=None):
    """Run a job; return reports per cell, incidents and times."""
    start = time.perf_counter()
    group = group or cgroups.NoGroup()
    attempt = Attempt(job, zygote, slot, group)
    complete = attempt.run()
    if not complete:
        attempt.incidents.append("the judge did not finish")
    return {
        "reports": attempt.reports,
        "incidents": list(dict.fromkeys(attempt.incidents)),
        "complete": complete,
        "cpu": attempt.cpu,
        "seconds": time.perf_counter() - start,
    }
