"""A warm process that forks: numpy, torch, IPython and matplotlib imported once.

It serves one request at a time over a socket and never sees a test, a solution, a
gradebook or another submission: it is sent limits and file descriptors, nothing
else. It is the first process of its own process space, so everything it ever forked
ends with it, and it ends when its client does.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from course_tools.grading.limits import COMMAND_BYTES, Limits
from course_tools.grading.messages import (
    Answer,
    Command,
    Fork,
    Home,
    Reap,
    SplitOff,
    Usage,
    Warm,
)
from course_tools.grading.own_code import hide_own_code, own_modules
from course_tools.grading.sandbox import linux, memory, namespaces
from course_tools.grading.validate import decode, encode
from course_tools.grading.zygote.warm_up import try_out, warm_up

if TYPE_CHECKING:
    from course_tools.grading.judge.namespace import JudgeNamespace

COMMAND = 0
BRIDGE = 3
RARELY = (20_000, 10, 10)  # when to collect: a child lives for a second


def enter(mode: str) -> None:
    """Fork into fresh namespaces; the parent only waits. `mode`: root, user, none."""
    if mode == "none":
        return
    user, group = os.getuid(), os.getgid()
    linux.unshare(linux.NEW_PID | (linux.NEW_USER if mode == "user" else 0))
    if mode == "user":
        namespaces.map_identity(user, group)
    child = os.fork()
    if child:
        os.close(COMMAND)
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)


class ForkServer:
    """Serves the requests of `zygote_client`: fork, split off, reap."""

    def __init__(self, mode: str, filtered: bool) -> None:
        self.mode = mode
        self.filtered = filtered
        # of a judge, when locked cells have been run beforehand
        self.names: JudgeNamespace | None = None
        self.connection = socket.socket(fileno=os.dup(COMMAND))
        self.last_capability = linux.last_capability()
        # the home folder holds matplotlib's list of fonts; used for imports only
        os.environ["HOME"] = decode(Home, self._receive()).home
        self.shell = warm_up()
        from course_tools.grading.zygote import rehearsal_worker  # noqa: F401

        asked = decode(Warm, self._receive())
        if asked.many:
            try_out(self.shell)
        for name in asked.modules:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        if mode != "none":
            namespaces.build()
            self.own_space = os.open("/proc/self/ns/pid", os.O_RDONLY)
        os.environ.update(HOME=namespaces.HOME, TMPDIR="/tmp", USER="student")
        self._get_ready_to_fork(asked.many)
        gc.set_threshold(*RARELY)
        gc.enable()
        self._reply(Answer())

    def _get_ready_to_fork(self, many: bool) -> None:
        """What is done once here need not be done, and copied, in every child."""
        if many:
            gc.collect()
        gc.freeze()
        self.own_modules = own_modules()
        if many:
            memory.use_large_pages()

    def _receive(self) -> Any:
        message = self.connection.recv(COMMAND_BYTES)
        return json.loads(message) if message else os._exit(0)

    def serve(self) -> NoReturn:
        """Do what the client asks until it goes away."""
        while True:
            message, descriptors, _, _ = socket.recv_fds(
                self.connection, COMMAND_BYTES, 4
            )
            if not message:
                os._exit(0)
            command = decode(Command, json.loads(message))
            if command.reap is not None:
                self._reap(command.reap)
            if command.split_off is not None:
                self._split_off(command.split_off, descriptors)
            if command.fork is not None:
                self._fork(command.fork, descriptors)

    def _fork(self, request: Fork, descriptors: Sequence[int]) -> None:
        if linux.threads() != 1:
            self._reply(Answer("the warm process has more than one thread"))
            return
        student = request.role == "student"
        if student and self.mode != "none":
            linux.unshare(linux.NEW_PID)
        child = os.fork()
        if child == 0:
            self._become(request, descriptors[0])
        if student and self.mode != "none":
            linux.setns(self.own_space, linux.NEW_PID)
        self._hand_over(child, descriptors)

    def _hand_over(self, child: int, descriptors: Sequence[int]) -> None:
        """Give the client a descriptor of the child; the others are the child's."""
        for descriptor in descriptors:
            os.close(descriptor)
        pidfd = os.pidfd_open(child)
        self._reply(Answer(pid=child), [pidfd])
        os.close(pidfd)

    def _split_off(self, request: SplitOff, descriptors: Sequence[int]) -> None:
        """Fork a warm process that has one notebook's first locked cells behind it."""
        child = os.fork()
        if child == 0:
            try:
                self._specialise(request, *descriptors)
            finally:
                os._exit(1)
        self._hand_over(child, descriptors)

    def _specialise(self, request: SplitOff, bridge: int, command: int) -> None:
        """The life of such a process: get ready, then fork on command."""
        from course_tools.grading.zygote import rehearsal_worker

        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        self.connection.close()
        os.dup2(os.open("/dev/null", os.O_RDWR), COMMAND)
        self.connection = socket.socket(fileno=command)
        limits = request.limits
        namespaces.own_home(limits)
        tempfile.tempdir = namespaces.HOME
        sys.path[0] = ""
        ready = {
            "student": rehearsal_worker.student_side,
            "judge": rehearsal_worker.judge_side,
        }
        with socket.socket(fileno=bridge) as connection:
            self.names = ready[request.role](connection, limits, self.shell)
        tempfile.tempdir = None
        sys.path_importer_cache.pop(os.getcwd(), None)
        os.chdir("/")
        self._get_ready_to_fork(many=True)
        self.serve()

    def _become(self, request: Fork, descriptor: int) -> NoReturn:
        """The life of a child: shut in, serve, end. Never returns."""
        code = 1
        try:
            linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            descriptor = keep_only(descriptor)
            limits = request.limits
            if self.mode == "none":
                namespaces.set_rlimits(limits, request.grouped)
            else:
                namespaces.shut_in(
                    limits,
                    as_root=self.mode == "root",
                    filtered=self.filtered,
                    last_capability=self.last_capability,
                    identity=namespaces.FIRST_ID + request.slot,
                    own_processes=request.role == "student",
                    grouped=request.grouped,
                )
            connection = socket.socket(fileno=descriptor)
            self._run(request.role, connection, limits)
            code = 0
        finally:
            os._exit(code)

    def _run(self, role: str, connection: socket.socket, limits: Limits) -> None:
        from course_tools.grading.bridge import files
        from course_tools.grading.judge import judge
        from course_tools.grading.student import student

        sys.path[0] = ""  # modules beside the notebook, as in a kernel
        files.unpack(connection)
        if role == "judge":
            judge.main(connection, self.shell, self.names)
        else:
            hide_own_code(self.own_modules)
            student.main(connection, limits, self.shell)

    def _reap(self, request: Reap) -> None:
        _, status, usage = os.wait4(request.pid, 0)
        seconds = usage.ru_utime + usage.ru_stime
        signal_number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        self._reply(Answer(usage=Usage(signal_number, seconds, usage.ru_maxrss)))

    def _reply(self, answer: Answer, descriptors: Sequence[int] = ()) -> None:
        message = json.dumps(encode(answer)).encode()
        socket.send_fds(self.connection, [message], descriptors)


def keep_only(descriptor: int) -> int:
    """Close every descriptor but the standard ones and this; return its number."""
    if descriptor != BRIDGE:
        os.dup2(descriptor, BRIDGE)
    os.closerange(BRIDGE + 1, os.sysconf("SC_OPEN_MAX"))
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    return BRIDGE


def main() -> None:
    gc.disable()  # imports make nothing that could be collected
    mode, filtered = sys.argv[1], sys.argv[2] == "filtered"
    try:
        enter(mode)
        server = ForkServer(mode, filtered)
    except (OSError, KeyError) as error:  # this machine does not allow it
        sys.exit(f"{type(error).__name__}: {error}")
    server.serve()


if __name__ == "__main__":
    main()
