"""The client of `page_worker`: has pages made by another process, within some seconds.

What makes pages of notebooks (nbconvert, mistune, pygments) can be kept busy for
hours by a text that was written to do so. Here this costs that one page. The seconds
are those of the processor: a machine that has much else to do makes no page shorter.
"""

import contextlib
import json
import os
import select
import subprocess
import sys
import time
import weakref
from typing import IO, Any

from course_tools.grading import processor_time
from course_tools.grading.limits import (
    CHUNK_BYTES,
    PAGE_BYTES,
    PAGE_PATIENCE,
    PAGE_SECONDS,
    PAGE_START_SECONDS,
)

WORKER = "course_tools.grading.pages.page_worker"


class WorkerLost(Exception):
    """The process ended, or did not answer in time."""


class PageClient:
    """Starts the process at once, so that its imports run beside other work."""

    def __init__(self, seconds: float = PAGE_SECONDS) -> None:
        self.seconds = seconds
        self.used_before = 0.0  # of the processor, by the pages made so far
        self.deadline = 0.0
        self._start()

    def page(self, **request: Any) -> str | None:
        """Return the page as text, or None if it cannot be made in time."""
        if not self.ready:
            self.wait_until_ready()
        try:
            return self._ask(request)
        except (WorkerLost, BrokenPipeError):
            self.close()
            self._start()
            return None
        except BaseException:  # Ctrl-C: an answer may still be on its way
            self.close()
            self._start()
            raise

    def close(self) -> None:
        """End the process, whatever it does."""
        self._end()

    def _start(self) -> None:
        self.ready, self.received = False, b""
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.requests, self.answers = _pipes(self.process)
        self._end = weakref.finalize(self, _end, self.process)

    def wait_until_ready(self) -> None:
        """Wait for the first process, or for one that has taken its place."""
        self.deadline = time.monotonic() + PAGE_START_SECONDS
        try:
            self._line()
        except WorkerLost as error:
            command = f"python -m {WORKER}"
            raise RuntimeError(f"no pages can be made: {command} ends") from error
        self.ready = True

    def _ask(self, request: dict[str, Any]) -> str:
        self.used_before = processor_time.seconds_of(self.process.pid)
        self.deadline = time.monotonic() + PAGE_PATIENCE * self.seconds
        self.requests.write(json.dumps(request).encode() + b"\n")
        self.requests.flush()
        answer = self._line()
        if "error" in answer or answer["size"] > PAGE_BYTES:
            raise WorkerLost(answer.get("error", "the page is too large"))
        return self._bytes(answer["size"]).decode()

    def _line(self) -> dict[str, Any]:
        while b"\n" not in self.received:
            self.received += self._some()
        line, _, self.received = self.received.partition(b"\n")
        return json.loads(line)

    def _bytes(self, size: int) -> bytes:
        parts, missing = [self.received], size - len(self.received)
        while missing > 0:
            parts.append(self._some())
            missing -= len(parts[-1])
        self.received = b""
        return b"".join(parts)

    def _some(self) -> bytes:
        """Return what has arrived, waiting for it as long as there is time left."""
        data = b""
        while (left := self._seconds_left()) > 0:
            if select.select([self.answers], [], [], left)[0]:
                data = os.read(self.answers.fileno(), CHUNK_BYTES)
                break
        if not data:
            raise WorkerLost("no answer")
        return data

    def _seconds_left(self) -> float:
        """How long nothing can have run out: not the processor's, not the clock's."""
        left = self.deadline - time.monotonic()
        if self.ready:
            used = processor_time.seconds_of(self.process.pid) - self.used_before
            left = min(left, self.seconds - used)
        return left


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in _pipes(process):
        with contextlib.suppress(OSError):  # half a request was still to be sent
            pipe.close()
