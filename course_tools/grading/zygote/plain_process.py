"""A judge or a student's process that was not forked: for `./course check` alone.

macOS and Windows have no fork that would do, and no sandbox. There each process is
started on its own and imports what it needs, with the same judge, the same bridge and
the same time limits. The code that runs in it is the student's own, on their machine.
"""

import json
import os
import socket
import sys
import threading
from typing import TYPE_CHECKING

from course_tools.grading.bridge import files, hand_over
from course_tools.grading.bridge.wire import Wire
from course_tools.grading.limits import SHORT_TEXT_CHARACTERS, Limits
from course_tools.grading.messages import Errand
from course_tools.grading.own_code import hide_own_code, own_modules
from course_tools.grading.validate import decode
from course_tools.grading.zygote.warm_up import warm_up

if TYPE_CHECKING:
    from course_tools.grading.bridge.shell import RecordingShell


def end_with_parent() -> None:
    """The process that started this one holds the other end of standard input."""
    os.read(0, 1)
    os._exit(1)


def main() -> None:
    errand = decode(Errand, json.loads(sys.stdin.readline()))
    threading.Thread(target=end_with_parent, daemon=True).start()
    shell = warm_up()
    listener = hand_over.listen()
    connection = hand_over.connect(errand.port, errand.secret)
    hello = {"process": os.getpid(), "port": listener.getsockname()[1]}
    Wire(connection, SHORT_TEXT_CHARACTERS).send(hello)
    os.chdir(errand.folder)
    sys.path[0] = ""  # modules beside the notebook, as in a kernel
    files.unpack(connection)
    if errand.role == "judge":
        be_judge(connection, shell)
    else:
        be_student(hand_over.accept(listener, errand.secret), errand.limits, shell)


def be_judge(connection: socket.socket, shell: "RecordingShell") -> None:
    from course_tools.grading.judge import alarm, judge

    alarm.use(alarm.ThreadTimer())
    judge.main(connection, shell)


def be_student(
    connection: socket.socket, limits: Limits, shell: "RecordingShell"
) -> None:
    from course_tools.grading.student import student

    hide_own_code(own_modules())
    student.main(connection, limits, shell)


if __name__ == "__main__":
    main()
