"""The client of the zygote: start it, have it fork, end what it forked."""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence

from course_tools.errors import CommandError
from course_tools.grading.bridge import hand_over, wire
from course_tools.grading.limits import (
    COMMAND_BYTES,
    ENDING_SECONDS,
    KILLED_SECONDS,
    ZYGOTE_ATTEMPTS,
    Limits,
)
from course_tools.grading.messages import (
    Answer,
    Command,
    Fork,
    Home,
    Reap,
    Side,
    SplitOff,
    Usage,
    Warm,
)
from course_tools.grading.run import variables
from course_tools.grading.run.processes import Mode
from course_tools.grading.sandbox import system_call_filter
from course_tools.grading.sandbox.cgroups import Group
from course_tools.grading.sandbox.no_group import NoGroup
from course_tools.grading.validate import decode, encode

# as its own end, and as that of the process it waits for in fresh namespaces
KILLED = (-signal.SIGKILL, -signal.SIGKILL & 0xFF, -signal.SIGTERM)
PASSED_ON = ("LANG", "LC_ALL", "MKL_CBWR", "ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA")


class NoSandbox(CommandError):
    """This machine allows none of the ways to shut student code in."""


class Killed(RuntimeError):
    """The warm process was ended from outside while it started."""


class ZygoteGone(RuntimeError):
    """The warm process ended unexpectedly."""


def environment() -> dict[str, str]:
    """Return the variables the warm process gets: none of the caller's secrets."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    own = {"PATH": "/usr/local/bin:/usr/bin:/bin", "IPYTHONDIR": "/tmp/.ipython"}
    # large pages for what torch allocates: less to copy at every fork
    own["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    return {**own, **variables.of_every_process(), **kept}


class Child:
    """A forked process: our end of the bridge to it, and how to end it."""

    def __init__(
        self,
        zygote: "Forker",
        pid: int,
        pidfd: int,
        bridge: socket.socket,
    ) -> None:
        self.zygote = zygote
        self.pid = pid
        self.pidfd = pidfd
        self.bridge = bridge

    def hand_over(self, control: wire.Wire) -> None:
        """Give the connection to this process to a judge."""
        hand_over.give_descriptor(control, self.pid, self.bridge)

    def outer_pid(self) -> int | None:
        """Return its number as this process sees it, or None if it has ended."""
        with open(f"/proc/self/fdinfo/{self.pidfd}") as file:
            for line in file:
                if line.startswith("Pid:"):
                    number = int(line.split()[1])
                    return number if number > 0 else None
        return None

    def children(self) -> int:
        """Return how many processes it has started that still run."""
        folder, count = f"/proc/{self.outer_pid()}/task", 0
        with contextlib.suppress(OSError):
            for thread in os.listdir(folder):  # each has children of its own
                path = f"{folder}/{thread}/children"
                with contextlib.suppress(OSError), open(path) as file:
                    count += len(file.read().split())  # unless it has just ended
        return count

    def ended(self, wait: float = 0.0) -> bool:
        """Has it ended of itself (within `wait` seconds)?"""
        return bool(select.select([self.pidfd], [], [], wait)[0])

    def end(self) -> Usage:
        """Kill it with everything it started; return status and use of cpu."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        select.select([self.pidfd], [], [], KILLED_SECONDS)
        os.close(self.pidfd)
        self.bridge.close()
        return self.zygote.reap(self.pid)


class Forker:
    """Speaks to a warm process that forks; safe to use from several threads."""

    def __init__(self, connection: socket.socket, mode: Mode) -> None:
        self.connection = connection
        self.mode: Mode = mode
        self.lock = threading.Lock()

    def _ask(
        self, request: Command | Warm, descriptors: Sequence[int] = ()
    ) -> tuple[Answer, list[int]]:
        try:
            message = json.dumps(encode(request)).encode()
            socket.send_fds(self.connection, [message], descriptors)
            data, received, _, _ = socket.recv_fds(self.connection, COMMAND_BYTES, 1)
        except OSError as error:
            raise ZygoteGone("the warm process ended") from error
        if not data:
            raise ZygoteGone("the warm process ended")
        answer = decode(Answer, json.loads(data))
        if answer.error is not None:
            raise ZygoteGone(answer.error)
        return answer, received

    def fork(
        self, role: Side, limits: Limits, slot: int, group: Group | None = None
    ) -> Child:
        """Fork a student or judge process; files are still to be sent to it."""
        ours, theirs = wire.pair()
        grouped = role == "judge" or not isinstance(group, NoGroup)
        command = Command(fork=Fork(role, limits, slot, grouped))
        with theirs, self.lock:
            answer, received = self._ask(command, [theirs.fileno()])
        child = Child(self, answer.pid, received[0], ours)
        if group is not None:
            pid = child.outer_pid()
            if pid is not None:
                group.add(pid)
        return child

    def split_off(self, role: Side, limits: Limits) -> "NotebookClient":
        """Fork a warm process for one notebook, which is to be told about it."""
        ours, theirs = wire.pair()
        speaker, listener = command_pair()
        command = Command(split_off=SplitOff(role, limits))
        with theirs, listener, self.lock:
            ends = [theirs.fileno(), listener.fileno()]
            answer, received = self._ask(command, ends)
        child = Child(self, answer.pid, received[0], ours)
        return NotebookClient(speaker, self.mode, child)

    def reap(self, pid: int) -> Usage:
        with self.lock:
            answer, _ = self._ask(Command(reap=Reap(pid)))
        if answer.usage is None:
            raise ZygoteGone("no answer about a process that has ended")
        return answer.usage


class NotebookClient(Forker):
    """Speaks to a warm process for one notebook; see zygote.rehearsal_worker."""

    def __init__(
        self,
        connection: socket.socket,
        mode: Mode,
        child: Child,
    ) -> None:
        super().__init__(connection, mode)
        self.child = child
        self.bridge = child.bridge  # where it is told about the notebook

    def close(self) -> None:
        """End it; its use of the processor is then known to who forked it."""
        self.connection.close()
        with contextlib.suppress(ZygoteGone, OSError):
            self.child.end()


class ZygoteClient(Forker):
    """The first warm process: starts it, and ends it with everything it forked."""

    def __init__(self, mode: Mode, warm: Iterable[str] | None = ()) -> None:
        """Start it and wait until it is warm; with warm=None, leave that to `greet`."""
        ours, theirs = command_pair()
        super().__init__(ours, mode)
        filtered = "filtered" if system_call_filter.available() else "open"
        with theirs:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "course_tools.grading.zygote.zygote",
                    mode,
                    filtered,
                ],
                env=environment(),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                close_fds=True,
                start_new_session=True,
            )
        with contextlib.suppress(OSError):  # if it has ended, `greet` will say so
            home = Home(os.path.expanduser("~"))
            self.connection.send(json.dumps(encode(home)).encode())
        if warm is not None:
            self.greet(warm)

    def greet(self, warm: Iterable[str], many: bool = True) -> None:
        """Wait until it is warm; raise NoSandbox with its own words if it is not.

        `warm` names modules to import, on top of those every notebook uses; what only
        pays for many submissions is left out for a few.
        """
        try:
            self._ask(Warm(tuple(warm), many))
        except ZygoteGone as error:
            code = self.process.wait()
            assert self.process.stderr is not None  # a pipe, by its arguments
            text = self.process.stderr.read().decode("utf-8", "replace").strip()
            if not text and code in KILLED:
                raise Killed("the warm process was killed") from error
            reason = text.splitlines()[-1] if text else "no reason given"
            raise NoSandbox(reason) from error

    def close(self) -> None:
        """End the warm process and everything it forked."""
        self.connection.close()
        try:
            self.process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()


def command_pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


_begun: dict[Mode, ZygoteClient] = {}


def begin() -> None:
    """Let the warm process start while this program still imports what it needs."""
    mode = modes()[0]
    _begun[mode] = ZygoteClient(mode, warm=None)


def modes() -> list[Mode]:
    """Return the kinds of sandbox to try, the better one first."""
    return ["root", "user"] if os.geteuid() == 0 else ["user"]


def _start(mode: Mode, warm: Iterable[str], many: bool) -> ZygoteClient:
    """Start a zygote, and again if something kills it: that says nothing of `mode`."""
    for _ in range(ZYGOTE_ATTEMPTS):
        zygote = _begun.pop(mode, None) or ZygoteClient(mode, warm=None)
        try:
            zygote.greet(warm, many)
            return zygote
        except Killed:
            zygote.close()
        except NoSandbox:
            zygote.close()
            raise
    raise CommandError(
        f"the process that grades was killed {ZYGOTE_ATTEMPTS} times while it started; "
        "is there too little memory, or something that ends processes?"
    )


def start(
    unsafe: bool = False, warm: Iterable[str] = (), many: bool = True
) -> ZygoteClient:
    """Start a zygote in the best sandbox this machine allows."""
    if unsafe:
        return ZygoteClient("none", warm)
    reasons = []
    for mode in modes():
        try:
            return _start(mode, warm, many)
        except NoSandbox as error:
            reasons.append(f"{mode}: {error}")
    tried = "; ".join(reasons)
    raise NoSandbox(f"no sandbox can be made here ({tried}); see --unsafe-no-sandbox")
