"""The client of zygote.plain_process: judge and student without fork and sandbox."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Self

import psutil

from course_tools.errors import CommandError
from course_tools.grading import processor_time
from course_tools.grading.bridge import hand_over
from course_tools.grading.bridge.wire import Wire
from course_tools.grading.limits import (
    KILLED_SECONDS,
    PLAIN_START_SECONDS,
    SHORT_TEXT_CHARACTERS,
    Limits,
)
from course_tools.grading.messages import Errand, Side, Usage
from course_tools.grading.run import variables
from course_tools.grading.run.processes import Mode
from course_tools.grading.validate import encode

if TYPE_CHECKING:
    from course_tools.grading.sandbox.cgroups import Group


class PlainChild:
    """One process, started at once; `meet` waits until it has imported everything."""

    def __init__(self, role: Side, limits: Limits) -> None:
        self.folder = tempfile.mkdtemp(prefix="course-check-")
        self.secret = secrets.token_hex()
        self.listener = hand_over.listen()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "course_tools.grading.zygote.plain_process"],
            env=os.environ | variables.of_every_process(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us, and we end it
        )
        port = self.listener.getsockname()[1]
        errand = Errand(role, limits, port, self.secret, self.folder)
        assert self.process.stdin is not None  # a pipe, by its arguments
        with contextlib.suppress(OSError):  # if it has ended, `meet` will say so
            self.process.stdin.write(json.dumps(encode(errand)).encode() + b"\n")
            self.process.stdin.flush()

    def meet(self) -> "PlainChild":
        """Wait for its connection, and learn where it listens itself."""
        self.bridge = self._accept()
        hello, _ = Wire(self.bridge, SHORT_TEXT_CHARACTERS).receive()
        self.pid, self.port = int(hello["process"]), int(hello["port"])
        return self

    def _accept(self) -> socket.socket:
        self.listener.settimeout(1.0)  # now and then: is it still there?
        patience = time.monotonic() + PLAIN_START_SECONDS
        while self.process.poll() is None and time.monotonic() < patience:
            with contextlib.suppress(TimeoutError):
                return hand_over.accept(self.listener, self.secret)
        self.leave()
        raise CommandError("a process in which notebooks run could not be started")

    def hand_over(self, control: Wire) -> None:
        hand_over.give_address(control, self.pid, self.port, self.secret)

    def children(self) -> int:
        return len(self._others())

    def _others(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.Error):
            return psutil.Process(self.pid).children(recursive=True)
        return []

    def ended(self, wait: float = 0.0) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(wait)
        return self.process.returncode is not None

    def end(self) -> Usage:
        used = processor_time.seconds_of(self.pid)
        for other in self._others():
            with contextlib.suppress(psutil.Error):
                other.kill()
        self.leave()
        return Usage(max(0, -self.process.returncode), used, 0)

    def leave(self) -> None:
        """End the process and take its folder away."""
        self.process.kill()
        self.process.wait(KILLED_SECONDS)
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class PlainProcesses:
    """Starts them; the first of each kind while the notebook is still being read."""

    mode: Mode = "none"

    def __init__(self, limits: Limits) -> None:
        self.waiting: dict[Side, PlainChild] = {}
        for role in ("judge", "student"):
            self.waiting[role] = PlainChild(role, limits)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self.waiting.values():
            child.leave()

    def fork(
        self, role: Side, limits: Limits, slot: int, group: "Group | None" = None
    ) -> PlainChild:
        """Return a process that is ready; `slot` and `group` are a sandbox's."""
        child = self.waiting.pop(role, None) or PlainChild(role, limits)
        return child.meet()
