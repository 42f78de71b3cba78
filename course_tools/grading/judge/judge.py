"""The judge: goes through the notebook, runs the instructor's cells, gives verdicts.

It is forked beside the student's process, never above it, and is the only process
that is ever sent the tests. It conducts: student cells are sent over to be run, test
cells are run here. When the student's process is lost it asks for a new one and has
the student's cells run again, without the one that was fatal, so that one bad cell
or one bad question does not cost the others.
"""

import socket
import sys
import time

from course_tools.grading.bridge import seeding
from course_tools.grading.bridge.shell import Stream, use_recorder_streams
from course_tools.grading.bridge.wire import Wire
from course_tools.grading.judge import introspection, test_cell
from course_tools.grading.judge.judge_link import JudgeLink, StudentLost
from course_tools.grading.judge.namespace import JudgeNamespace, MainModule
from course_tools.grading.limits import (
    CONTROL_BYTES,
    IMPORT_SECONDS,
    MESSAGE_CHARACTERS,
    TRACEBACK_CHARACTERS,
    Limits,
)
from course_tools.grading.plan.solution_facts import Knowledge


class Judge:
    """Conducts one notebook; reports every cell to the worker as it is done."""

    def __init__(self, control, plan, shell, names=None):
        self.control = control
        self.plan = plan
        self.cells = plan["cells"]
        self.limits = Limits.from_dict(plan["limits"])
        self.knowledge = Knowledge(**plan["knowledge"])
        self.shell = shell
        self.names = names
        self.first = plan.get("done", 0)  # so many cells have been run beforehand
        self.link = None
        self.restarts = 0
        self.fatal = set()
        self.tainted = False
        self.room = self.limits.outputs_total + self.limits.output
        self.texts = plan["texts"]

    def prologue(self):
        """Run what comes before any student's code; False if a cell of it fails."""
        self.names = JudgeNamespace(self.knowledge)
        self.names["get_ipython"] = lambda: self.shell
        for statement in self.knowledge.imports:
            test_cell.run_cell(statement, "imports", self.names, IMPORT_SECONDS)
        return all(self._judge_side(cell) for cell in self.cells[: self.first])

    def conduct(self):
        """Go through the other cells with a student's process."""
        sys.modules["__main__"] = MainModule(self.names)
        introspection.install(self.names)
        self.shell.user_ns = self.names  # magics of tests run their code there
        self._connect()
        for position, cell in enumerate(self.cells):
            if position < self.first:
                continue
            if cell["role"] == "test":
                self._question(position, cell)
            else:
                self._student_cell(position, cell)
        self.control.send({"event": "done"})

    # -- the student's process ------------------------------------------------------
    def _connect(self):
        """Take over the connection to a new student process."""
        _, descriptors, _, _ = socket.recv_fds(self.control.connection, 1, 1)
        connection = socket.socket(fileno=descriptors[0])
        limits = self.limits
        wire = Wire(connection, limits.message, limits.traffic, ahead=True)
        self.link = JudgeLink(wire, self.limits, self.knowledge, self.names)
        self.link.on_print = self._student_printed
        self.names.link = self.link

    def _student_printed(self, text):
        """A test may capture what student code prints; else it is kept apart."""
        if isinstance(sys.stdout, Stream):
            self.shell.recorder.write("student", text)
        else:
            sys.stdout.write(text)

    def _recover(self, position):
        """Get a new process and bring it to where the old one was."""
        while self.restarts < self.limits.restarts:
            self.restarts += 1
            self.link.wire.close()
            self.names.link = None
            self.names.forget_student()
            self.control.send({"event": "restart", "lost": self.link.lost})
            self._connect()
            if self._replay(position):
                return
        self.link.lost = self.link.lost or "the process ended too often"

    def _replay(self, position):
        """Run the cells before `position` again; False if one of them is fatal."""
        for earlier, cell in enumerate(self.cells[:position]):
            if cell["role"] == "test" or earlier in self.fatal or earlier < self.first:
                continue
            try:
                self._send_cell(cell)
            except StudentLost:
                self.fatal.add(earlier)
                return False
            self._judge_side(cell)
        return True

    # -- cells --------------------------------------------------------------------
    def _student_cell(self, position, cell):
        start = time.perf_counter()
        report = {"event": "cell", "index": cell["index"], "lost": None}
        try:
            header = self._send_cell(cell)
            report.update(cpu=header.get("cpu"), outputs=self._within_bounds(header))
            report["success"] = header.get("success") is True
        except StudentLost as error:
            report.update(outputs=[], success=False, lost=error.reason)
            self.fatal.add(position)
            if self.restarts < self.limits.restarts and _has_later(
                self.cells, position
            ):
                self._recover(position)
        if report["lost"] is None:
            self._judge_side(cell)
        report["seconds"] = time.perf_counter() - start
        self.control.send(report)

    def _within_bounds(self, header):
        """Outputs are passed on while there is room; the worker keeps all of them."""
        outputs = header.get("outputs")
        self.room -= len(str(outputs))
        if self.room > 0:
            return outputs
        text = "(more output than one notebook may have: left out)"
        return [{"output_type": "stream", "name": "stdout", "text": text}]

    def _send_cell(self, cell):
        self.link.wire.deadline = time.monotonic() + self.limits.cell_seconds
        self.link.calls = self.link.wire.traffic = 0
        fields = {"op": "cell", "source": cell["source"], "judge": cell.get("judge")}
        header, _ = self.link.request(fields, self.link.encoder())
        return header

    def _judge_side(self, cell):
        """What a student or locked cell means for the judge; False if it fails."""
        if cell["role"] != "locked" or not cell.get("judge"):
            self.names.hand_over(cell["defines"], cell["changes"])
            return True
        self.names.reserve(cell["defines"])
        seconds = self.limits.cell_seconds
        if self.link is not None:
            self.link.wire.deadline = time.monotonic() + seconds
        name = f"locked cell {cell['index']}"
        seeding.seed_locked(cell)
        done = test_cell.run_cell(cell["source"], name, self.names, seconds)
        self.names.keep_locked(cell["defines"])
        self.shell.recorder.reset()
        return done.error is None

    def _question(self, position, cell):
        """Run one test cell and report its verdict."""
        start = time.perf_counter()
        recorder, seconds = self.shell.recorder, self.limits.cell_seconds
        recorder.reset()
        seeding.set_seeds(seeding.seed_for("judge", cell["grade_id"], cell["source"]))
        outcome = test_cell.Outcome()
        try:
            self.link.wire.deadline = time.monotonic() + seconds
            self.link.begin(seeding.seed_for("student", cell["grade_id"]))
            outcome = test_cell.run_cell(
                cell["source"], f"test {cell['grade_id']}", self.names, seconds
            )
        except StudentLost as error:
            outcome.error = error
        shown = [o for o in recorder.outputs if o["output_type"] == "error"]
        if shown and outcome.error is None:  # inside %%capture and the like
            outcome.error = AssertionError(f"{shown[0]['ename']}: {shown[0]['evalue']}")
        if self.link.lost is not None and not isinstance(outcome.error, StudentLost):
            outcome.error = StudentLost(self.link.lost)
        self.control.send(self._verdict(cell, outcome, start))
        self.tainted = self.tainted or bool(cell["hidden"])
        if isinstance(outcome.error, test_cell.OutOfTime):
            self.link.lost = self.link.lost or "the question's time was over"
        if self.link.lost and _has_later(self.cells, position):
            self._recover(position)

    def _verdict(self, cell, outcome, start):
        score, text = test_cell.credit(outcome, cell["points"])
        error = outcome.error
        report = {
            "event": "verdict",
            "index": cell["index"],
            "grade_id": cell["grade_id"],
            "score": score,
            "value": text,
            "outputs": list(self.shell.recorder.outputs),
            "error": None,
            "said": ["", ""],
            "lost": self.link.lost,
            "seconds": time.perf_counter() - start,
        }
        if error is None and score < cell["points"]:
            after_hidden = self.tainted or cell["hidden"]
            report["said"] = test_cell.what_it_said(
                self.shell.recorder.outputs, self.texts if after_hidden else None
            )
        if error is not None:
            public = test_cell.explain_publicly(
                outcome, cell, self.tainted, self.texts, self.names.students
            )
            report["error"] = {
                "type": type(error).__name__,
                "message": test_cell.explain(error)[:MESSAGE_CHARACTERS],
                "public": public[:MESSAGE_CHARACTERS],
                "line": outcome.line,
                "student": _traceback(error),
            }
        return report


def _traceback(error):
    """The student's own lines, if the error came from there."""
    return str(getattr(error, "student_traceback", ""))[:TRACEBACK_CHARACTERS]


def _has_later(cells, position):
    """Is there a question after this cell for which a new process is worth while?"""
    return any(cell["role"] == "test" for cell in cells[position + 1 :])


def main(connection, shell, names=None):
    """Wait for the plan, then conduct; the worker reads the reports.

    `names` are those of the first cells, if these have been run beforehand.
    """
    control = Wire(connection, message_limit=CONTROL_BYTES)
    plan, _ = control.receive()
    use_recorder_streams(shell)
    seeding.count_seeds()
    judge = Judge(control, plan, shell, names)
    if names is None:
        judge.prologue()
    judge.conduct()
