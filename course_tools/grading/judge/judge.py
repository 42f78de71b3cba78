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
from dataclasses import replace

from course_tools.grading.bridge import hand_over, seeding
from course_tools.grading.bridge.shell import (
    RecordingShell,
    Stream,
    use_recorder_streams,
)
from course_tools.grading.bridge.shown import only_text
from course_tools.grading.bridge.wire import Header, Wire
from course_tools.grading.judge import (
    failure_messages,
    introspection,
    score,
    test_cell,
)
from course_tools.grading.judge.alarm import OutOfTime
from course_tools.grading.judge.judge_link import JudgeLink, StudentLost
from course_tools.grading.judge.namespace import JudgeNamespace, MainModule
from course_tools.grading.judge.rule_keeper import RuleBroken, RuleKeeper
from course_tools.grading.judge.test_cell import Outcome
from course_tools.grading.limits import (
    CONTROL_BYTES,
    ERROR_NAME_CHARACTERS,
    IMPORT_SECONDS,
    MESSAGE_CHARACTERS,
    TRACEBACK_CHARACTERS,
)
from course_tools.grading.messages import (
    Cell,
    CellAnswer,
    CellReport,
    Done,
    Event,
    Failure,
    Outputs,
    Plan,
    Restart,
    Verdict,
    encode_event,
)
from course_tools.grading.rules import Rules
from course_tools.grading.validate import BadMessage, decode

NOTHING_SHOWN = CellAnswer([], success=True, seconds=0.0, cpu=0.0)
RULE = "a rule of this set is broken: "
TOO_MUCH = "(more output than one notebook may have: left out)"


class Judge:
    """Conducts one notebook; reports every cell to the worker as it is done."""

    def __init__(
        self,
        control: Wire,
        plan: Plan,
        shell: RecordingShell,
        names: JudgeNamespace | None = None,
    ) -> None:
        """`names` are those of the first cells, if these have been run beforehand."""
        self.control = control
        self.plan = plan
        self.cells = plan.cells
        self.limits = plan.limits
        self.shell = shell
        self.names = JudgeNamespace(plan.solution) if names is None else names
        self.link: JudgeLink | None = None
        alone = [cell for cell in plan.cells if cell.alone]
        theirs = {name for cell in alone for name in cell.defines}
        self.keeper = RuleKeeper(plan.rules, theirs - self.names.students)
        self.restarts = 0
        self.fatal: set[int] = set()  # positions of cells that ended the process
        self.tainted = False  # hidden checks have run
        self.room = self.limits.outputs_total + self.limits.output

    def prologue(self) -> bool:
        """Run what comes before any student's code; False if a cell of it fails."""
        self.names["get_ipython"] = lambda: self.shell
        for statement in self.plan.solution.imports:
            test_cell.run_cell(statement, "imports", self.names, IMPORT_SECONDS)
        return all(self._judge_side(cell) for cell in self.cells[: self.plan.done])

    def conduct(self) -> None:
        """Go through the other cells with a student's process."""
        sys.modules["__main__"] = MainModule(self.names)
        introspection.install(self.names, self.plan)
        for cell in self.cells:
            if cell.role == "locked" and cell.judge:
                self.names.reserve(cell.defines)
        self.shell.user_ns = self.names  # magics of tests run their code there
        self._connect()
        for position, cell in enumerate(self.cells):
            if position < self.plan.done:
                continue
            if cell.role == "test":
                if not cell.left_out:
                    self._question(position, cell)
                self.names.reserve(cell.defines)
            else:
                self._student_cell(position, cell)
        self._say(Done())

    def _say(self, event: Event) -> None:
        self.control.send(encode_event(event))

    # -- the student's process ------------------------------------------------------
    @property
    def student(self) -> JudgeLink:
        assert self.link is not None, "no student's process is connected"
        return self.link

    def _connect(self) -> None:
        """Take over the connection to a new student process."""
        self.keeper.process, connection = hand_over.take(self.control)
        limits = self.limits
        wire = Wire(connection, limits.message, limits.traffic, ahead=True)
        self.link = JudgeLink(wire, limits, self.plan.solution, self.names, self.keeper)
        self.link.on_print = self._student_printed
        self.names.link = self.link

    def _student_printed(self, text: str) -> None:
        """A test may capture what student code prints; else it is kept apart."""
        if isinstance(sys.stdout, Stream):
            self.shell.recorder.write("student", text)
        else:
            sys.stdout.write(text)

    def _recover(self, position: int) -> None:
        """Get a new process and bring it to where the old one was."""
        while self.restarts < self.limits.restarts:
            self.restarts += 1
            self.student.wire.close()
            self.names.link = None
            self.names.forget_student()
            self._say(Restart(_cut(self.student.lost)))
            self._connect()
            if self._replay(position):
                return
        self.student.lost = self.student.lost or "the process ended too often"

    def _replay(self, position: int) -> bool:
        """Run the cells before `position` again; False if one of them is fatal."""
        for earlier, cell in enumerate(self.cells[:position]):
            if cell.role == "test" or earlier < self.plan.done:
                continue
            try:
                if earlier not in self.fatal:
                    self._run_there(cell)
            except StudentLost:
                self.fatal.add(earlier)
                return False
            finally:
                self._judge_side(cell)
        return True

    # -- cells --------------------------------------------------------------------
    def _student_cell(self, position: int, cell: Cell) -> None:
        start = time.perf_counter()
        answer = CellAnswer([], success=False, seconds=0.0, cpu=0.0)
        lost = None
        try:
            answer = self._run_there(cell)
        except StudentLost as error:
            lost = _cut(error.reason)
            self.fatal.add(position)
            left = self.restarts < self.limits.restarts
            if left and _has_later(self.cells, position):
                self._recover(position)
        self._judge_side(cell)  # whatever the student's process does
        self._say(
            CellReport(
                index=cell.index,
                outputs=self._within_bounds(answer.outputs),
                success=answer.success,
                seconds=time.perf_counter() - start,
                cpu=answer.cpu,
                lost=lost,
            )
        )

    def _within_bounds(self, outputs: Outputs) -> Outputs:
        """Outputs are passed on while there is room; the worker keeps all of them."""
        self.room -= len(str(outputs))
        if self.room > 0:
            return outputs
        return [{"output_type": "stream", "name": "stdout", "text": TOO_MUCH}]

    def _run_there(self, cell: Cell) -> CellAnswer:
        """Have the student's process run a cell; what it says of it is checked."""
        if cell.alone:
            return NOTHING_SHOWN
        link = self.student
        link.wire.deadline = time.monotonic() + self.limits.cell_seconds
        link.calls = link.wire.traffic = 0
        fields = cell_request(cell, self.plan.rules)
        known = ("outputs", "success", "seconds", "cpu")
        try:
            header, _ = link.request(fields, link.encoder())
            answer = decode(CellAnswer, {name: header.get(name) for name in known})
            return replace(answer, outputs=only_text(answer.outputs))
        except BadMessage as error:
            return link.lose(f"unreadable answer: {error}")
        except Exception as error:  # that cells fail is part of a proper answer
            return link.lose(f"unreadable answer: {type(error).__name__}")

    def _judge_side(self, cell: Cell) -> bool:
        """What a student or locked cell means for the judge; False if it fails."""
        if cell.role != "locked" or not cell.judge:
            self.names.hand_over(cell.defines, cell.changes)
            return True
        seconds = self.limits.cell_seconds
        if self.link is not None:
            self.link.wire.deadline = time.monotonic() + seconds
        name = f"locked cell {cell.index}"
        seeding.seed_locked(cell.source)
        with self.names.lock(cell.defines):
            outcome = test_cell.run_cell(cell.source, name, self.names, seconds)
        self.shell.recorder.reset()
        return outcome.error is None

    # -- questions ----------------------------------------------------------------
    def _question(self, position: int, cell: Cell) -> None:
        """Run one test cell and report its verdict."""
        start = time.perf_counter()
        outcome = self._run_test(cell)
        link = self.student
        if link.lost is not None and not isinstance(outcome.error, StudentLost):
            outcome.error = StudentLost(link.lost)
        self._say(self._verdict(cell, outcome, start))
        self.tainted = self.tainted or bool(cell.hidden)
        if isinstance(outcome.error, OutOfTime):
            link.lost = link.lost or "the question's time was over"
        if link.lost and _has_later(self.cells, position):
            self._recover(position)

    def _run_test(self, cell: Cell) -> Outcome:
        recorder, seconds = self.shell.recorder, self.limits.cell_seconds
        name = str(cell.grade_id)
        recorder.reset()
        seeding.set_seeds(seeding.seed_for("judge", name, cell.source))
        outcome = Outcome()
        try:
            self.student.wire.deadline = time.monotonic() + seconds
            self.keeper.begin(name)
            self.student.begin(seeding.seed_for("student", name))
            outcome = test_cell.run_cell(
                cell.source, f"test {name}", self.names, seconds
            )
            if outcome.error is None:
                self._repeat()
        except (StudentLost, RuleBroken) as error:
            outcome.error = error
        self.keeper.look_at(outcome.error)
        self.student.forget_reads()
        shown = [o for o in recorder.outputs if o["output_type"] == "error"]
        if shown and outcome.error is None:  # inside %%capture and the like
            outcome.error = AssertionError(f"{shown[0]['ename']}: {shown[0]['evalue']}")
        return outcome

    def _repeat(self) -> None:
        """Make the call of a seeded function again: what does its seed decide?"""
        recorded = self.keeper.recorded
        if recorded is None:
            return
        self.student.wire.deadline = time.monotonic() + self.limits.cell_seconds
        fault, told = recorded.fault()
        if fault:
            raise RuleBroken(self.keeper.say(fault, told))

    def _verdict(self, cell: Cell, outcome: Outcome, start: float) -> Verdict:
        points, value = score.credit(outcome, cell.points)
        outputs = list(self.shell.recorder.outputs)
        failure, message, public = None, "", ""
        if outcome.error is not None:
            failure = _failure(outcome.error, outcome.line)
            message = failure_messages.explain(outcome.error)
            public = failure_messages.explain_publicly(
                outcome, cell, self.tainted, self.plan.texts, self.names.students
            )
        elif points < cell.points:
            after_hidden = self.tainted or cell.hidden
            texts = self.plan.texts if after_hidden else None
            message, public = failure_messages.what_it_said(outputs, texts)
        breach = bool(self.keeper.broken) and points < cell.points
        if breach:
            after_hidden = self.tainted or failure_messages.reached(outcome, cell)
            said = self.keeper.told if after_hidden else self.keeper.broken
            message, public = (RULE + text for text in (self.keeper.broken, said))
        return Verdict(
            index=cell.index,
            grade_id=str(cell.grade_id),
            score=points,
            seconds=time.perf_counter() - start,
            value=value,
            outputs=outputs,
            failure=failure,
            message=message[:MESSAGE_CHARACTERS],
            public=public[:MESSAGE_CHARACTERS],
            lost=_cut(self.student.lost),
            breach=breach,
        )


def cell_request(cell: Cell, rules: Rules) -> Header:
    """What the student's process is asked to do with a cell."""
    fields: Header = {"op": "cell", "source": cell.source, "judge": cell.judge}
    if rules.modules:
        fields["free"] = rules.modules_everywhere
        fields["modules"] = rules.modules_anywhere
        fields["locked"] = cell.role == "locked"
    return fields


def _failure(error: BaseException, line: int | None) -> Failure:
    """The error, and the student's own lines if it came from there."""
    traceback = str(getattr(error, "student_traceback", ""))
    name = type(error).__name__[:ERROR_NAME_CHARACTERS]
    return Failure(name, line, traceback[:TRACEBACK_CHARACTERS])


def _cut(reason: str | None) -> str | None:
    return None if reason is None else reason[:MESSAGE_CHARACTERS]


def _has_later(cells: tuple[Cell, ...], position: int) -> bool:
    """Is there a question after this cell for which a new process is worth while?"""
    return any(cell.role == "test" for cell in cells[position + 1 :])


def main(
    connection: socket.socket,
    shell: RecordingShell,
    names: JudgeNamespace | None = None,
) -> None:
    """Wait for the plan, then conduct; the worker reads the reports."""
    control = Wire(connection, message_limit=CONTROL_BYTES)
    plan = decode(Plan, control.receive()[0])
    use_recorder_streams(shell)
    seeding.count_seeds()
    judge = Judge(control, plan, shell, names)
    if names is None:
        judge.prologue()
    judge.conduct()
