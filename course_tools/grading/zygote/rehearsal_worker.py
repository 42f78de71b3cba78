"""What all submissions of a notebook have in common is run once, before the fork.

A notebook begins with locked cells: imports, data, helpers of the tests. Two warm
processes have run them, one from which the students' processes are forked and one
for the judges. The latter may rehearse: it goes through the instructor's own
solution, which fills functions marked with functools.cache, compiles the tests and
warms up what they use. If anything but such caches could remember the rehearsal, it
is not held. This module runs in those processes; their client is `prepared`.
"""

import gc
import os
import socket

from course_tools.grading.bridge import files
from course_tools.grading.bridge.shell import RecordingShell, use_recorder_streams
from course_tools.grading.bridge.wire import Wire
from course_tools.grading.judge.judge import NOTHING_SHOWN, Judge, cell_request
from course_tools.grading.judge.namespace import JudgeNamespace
from course_tools.grading.limits import CONTROL_BYTES, Limits
from course_tools.grading.messages import (
    Cell,
    CellAnswer,
    Plan,
    Prologue,
    PrologueDone,
)
from course_tools.grading.sandbox import linux
from course_tools.grading.student.student import StudentLink
from course_tools.grading.validate import decode, encode
from course_tools.grading.zygote import purity

Contents = dict[str, tuple[int, int] | None]  # path -> size and time; None: a folder


def student_side(
    connection: socket.socket, limits: Limits, shell: RecordingShell
) -> None:
    """Run the first cells as a student's process would, and report what they showed."""
    control, before = _begin(connection, shell)
    task = decode(Prologue, control.receive()[0])
    link = StudentLink(control, limits, shell)
    answers = tuple(_run(cell, task, link) for cell in task.cells)
    fine = all(answer.success for answer in answers)
    fine = fine and linux.threads() == 1 and _home() == before
    control.send(encode(PrologueDone(fine, answers)))


def _run(cell: Cell, task: Prologue, link: StudentLink) -> CellAnswer:
    if cell.alone:
        return NOTHING_SHOWN
    fields, _ = link.do_cell(cell_request(cell, task.rules), None)
    return decode(CellAnswer, fields)


def judge_side(
    connection: socket.socket, limits: Limits, shell: RecordingShell
) -> JudgeNamespace:
    """Run the first cells as a judge would, rehearse, and return the names it has."""
    control, before = _begin(connection, shell)
    plan = decode(Plan, control.receive()[0])
    judge = Judge(control, plan, shell)
    fine = judge.prologue() and linux.threads() == 1 and _home() == before
    wanted = plan.rehearse and not purity.changeable_names(judge.names)
    control.send(encode(PrologueDone(fine, rehearse=wanted)))
    names = judge.names
    if fine and wanted:
        seen, kept = purity.snapshot(names), names.keep()
        judge.conduct()
        link = judge.student
        names.restore(kept)
        del judge
        gc.collect()
        fine = purity.snapshot(names) == seen and not link.stand_ins
        fine = fine and linux.threads() == 1
        control.send(encode(PrologueDone(fine)))
    return names


def _begin(connection: socket.socket, shell: RecordingShell) -> tuple[Wire, Contents]:
    """Take the files; return the control wire, and what lies here."""
    files.unpack(connection)
    before = _home()
    control = Wire(connection, message_limit=CONTROL_BYTES)
    use_recorder_streams(shell)
    return control, before


def _home() -> Contents:
    """What lies in the current folder: a cell that writes files must run every time."""
    home: Contents = {}
    for parent, folders, names in os.walk("."):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.join(parent, name)
            status = os.lstat(path)
            home[path] = (status.st_size, status.st_mtime_ns)
        home[parent] = None
    return home
