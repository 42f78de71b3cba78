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
from pathlib import Path

from course_tools.errors import CommandError
from course_tools.grading.bridge import files, wire
from course_tools.grading.limits import (
    COMMAND_BYTES,
    ENDING_SECONDS,
    KILLED_SECONDS,
    PATIENCE_SECONDS,
)
from course_tools.grading.sandbox import seccomp

THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
CODE = str(Path(__file__).resolve().parents[3])  # where course_tools lies
PASSED_ON = ("LANG", "LC_ALL", "MKL_CBWR", "ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA")


class NoSandbox(CommandError):
    """This machine allows none of the ways to shut student code in."""


class ZygoteGone(RuntimeError):
    """The warm process ended unexpectedly."""


def environment():
    """Return the variables the warm process gets: none of the caller's secrets."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    threads = {f"{name}_NUM_THREADS": "1" for name in THREADS}
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": CODE,  # the warm process runs the very code of its client
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "IPYTHONDIR": "/tmp/.ipython",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "NBGRADER_EXECUTION": "autograde",
        "TZ": "UTC",
        # large pages for what torch allocates: less to copy at every fork
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        **kept,
        **threads,
    }


class Child:
    """A forked process: its end of the connection, and how to end it."""

    def __init__(self, zygote, pid, pidfd, connection):
        self.zygote = zygote
        self.pid = pid
        self.pidfd = pidfd
        self.connection = connection

    def outer_pid(self):
        """Return its number as this process sees it, or None if it has ended."""
        with open(f"/proc/self/fdinfo/{self.pidfd}") as file:
            for line in file:
                if line.startswith("Pid:"):
                    number = int(line.split()[1])
                    return number if number > 0 else None
        return None

    def children(self):
        """Return how many processes it has started that still run."""
        folder, count = f"/proc/{self.outer_pid()}/task", 0
        with contextlib.suppress(OSError):
            for thread in os.listdir(folder):  # each has children of its own
                with open(f"{folder}/{thread}/children") as file:
                    count += len(file.read().split())
        return count

    def ended(self, wait=0.0):
        """Has it ended of itself (within `wait` seconds)?"""
        return bool(select.select([self.pidfd], [], [], wait)[0])

    def end(self):
        """Kill it with everything it started; return status and use of cpu."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        select.select([self.pidfd], [], [], KILLED_SECONDS)
        os.close(self.pidfd)
        if self.connection is not None:
            self.connection.close()
        return self.zygote.reap(self.pid)


class Forker:
    """Speaks to a warm process that forks; safe to use from several threads."""

    def __init__(self, connection, mode):
        self.connection = connection
        self.mode = mode
        self.lock = threading.Lock()

    def _ask(self, fields, descriptors=()):
        try:
            message = json.dumps(fields).encode()
            socket.send_fds(self.connection, [message], descriptors)
            answer, received, _, _ = socket.recv_fds(self.connection, COMMAND_BYTES, 1)
        except OSError as error:
            raise ZygoteGone("the warm process ended") from error
        if not answer:
            raise ZygoteGone("the warm process ended")
        answer = json.loads(answer)
        if "error" in answer:
            raise ZygoteGone(answer["error"])
        return answer, received

    def fork(self, role, limits, slot, group=None):
        """Fork a student or judge process; files are still to be sent to it."""
        ours, theirs = wire.pair()
        fields = {"role": role, "limits": limits.to_dict(), "slot": slot}
        with theirs, self.lock:
            answer, received = self._ask(fields, [theirs.fileno()])
        child = Child(self, answer["pid"], received[0], ours)
        if group is not None:
            pid = child.outer_pid()
            if pid is not None:
                group.add(pid)
        return child

    def split_off(self, role, limits):
        """Fork a warm process for one notebook, which is to be told about it."""
        ours, theirs = wire.pair()
        speaker, listener = command_pair()
        fields = {"split_off": role, "limits": limits.to_dict()}
        with theirs, listener, self.lock:
            told = [theirs.fileno(), listener.fileno()]
            answer, received = self._ask(fields, told)
        child = Child(self, answer["pid"], received[0], ours)
        return SplitOff(speaker, self.mode, child)

    def reap(self, pid):
        with self.lock:
            answer, _ = self._ask({"reap": pid})
        return answer


class SplitOff(Forker):
    """A warm process for one notebook; see the module `prologue`."""

    def __init__(self, connection, mode, child):
        super().__init__(connection, mode)
        self.child = child

    def close(self):
        """End it; its use of the processor is then known to who forked it."""
        self.connection.close()
        with contextlib.suppress(ZygoteGone, OSError):
            self.child.end()


class Zygote(Forker):
    """The first warm process: starts it, and ends it with everything it forked."""

    def __init__(self, mode, warm=()):
        """Start it and wait until it is warm; with warm=None, leave that to `greet`."""
        ours, theirs = command_pair()
        super().__init__(ours, mode)
        self.prepared = {}
        filtered = "filtered" if seccomp.available() else "open"
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
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                close_fds=True,
                start_new_session=True,
            )
        with contextlib.suppress(OSError):  # if it has ended, `greet` will say so
            self.connection.send(json.dumps({"home": os.path.expanduser("~")}).encode())
        if warm is not None:
            self.greet(warm)

    def greet(self, warm):
        """Wait until it is warm; raise NoSandbox with its own words if it is not.

        `warm` names modules to import, on top of those every notebook uses.
        """
        try:
            self._ask({"warm": list(warm)})
        except ZygoteGone as error:
            self.process.wait()
            text = self.process.stderr.read().decode("utf-8", "replace").strip()
            reason = text.splitlines()[-1] if text else "no reason given"
            raise NoSandbox(reason) from error

    def close(self):
        """End the warm process and everything it forked."""
        for prepared in filter(None, self.prepared.values()):
            prepared.close()
        self.connection.close()
        try:
            self.process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()


def command_pair():
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def give_files(child, found, seconds=PATIENCE_SECONDS):
    files.send(child.connection, found, seconds)


_begun = {}  # by mode


def begin():
    """Let the warm process start while this program still imports what it needs."""
    mode = modes()[0]
    _begun[mode] = Zygote(mode, warm=None)


def modes():
    """Return the kinds of sandbox to try, the better one first."""
    return ["root", "user"] if os.geteuid() == 0 else ["user"]


def start(unsafe=False, warm=()):
    """Start a zygote in the best sandbox this machine allows."""
    if unsafe:
        return Zygote("none", warm)
    reasons = []
    for mode in modes():
        zygote = _begun.pop(mode, None) or Zygote(mode, warm=None)
        try:
            zygote.greet(warm)
            return zygote
        except NoSandbox as error:
            reasons.append(f"{mode}: {error}")
    tried = "; ".join(reasons)
    raise NoSandbox(f"no sandbox can be made here ({tried}); see --unsafe-no-sandbox")
