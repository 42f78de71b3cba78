"""The client of `page`: has pages made by a process of its own, within some seconds.

What makes pages of notebooks (nbconvert, mistune, pygments) can be kept busy for
hours by a text that was written to do so. Here this costs that one page.
"""

import contextlib
import json
import os
import select
import subprocess
import sys
import time
import weakref

from course_tools.grading.limits import (
    CHUNK_BYTES,
    PAGE_BYTES,
    PAGE_SECONDS,
    PAGE_START_SECONDS,
)


class Lost(Exception):
    """The process ended, or did not answer in time."""


class Typesetter:
    """Starts the process at once, so that its imports run beside other work."""

    def __init__(self, seconds=PAGE_SECONDS):
        self.seconds = seconds
        self._start()

    def page(self, **request):
        """Return the page as text, or None if it cannot be made in time."""
        if not self.ready:
            self._greet()
        try:
            return self._ask(request)
        except (Lost, BrokenPipeError):
            self.close()
            self._start()
            return None
        except BaseException:  # Ctrl-C: an answer may still be on its way
            self.close()
            self._start()
            raise

    def close(self):
        """End the process, whatever it does."""
        self._end()

    def _start(self):
        self.ready, self.read = False, b""
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "course_tools.grading.pages.page"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._end = weakref.finalize(self, _end, self.process)

    def _greet(self):
        """Wait for the first process, or for one that has taken its place."""
        self.deadline = time.monotonic() + PAGE_START_SECONDS
        try:
            self._line()
        except Lost as error:
            command = "python -m course_tools.grading.pages.page"
            raise RuntimeError(f"no pages can be made: {command} ends") from error
        self.ready = True

    def _ask(self, request):
        self.deadline = time.monotonic() + self.seconds
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = self._line()
        if "error" in answer or answer["size"] > PAGE_BYTES:
            raise Lost(answer.get("error", "the page is too large"))
        return self._bytes(answer["size"]).decode()

    def _line(self):
        while b"\n" not in self.read:
            self.read += self._some()
        line, _, self.read = self.read.partition(b"\n")
        return json.loads(line)

    def _bytes(self, size):
        parts, left = [self.read], size - len(self.read)
        while left > 0:
            parts.append(self._some())
            left -= len(parts[-1])
        self.read = b""
        return b"".join(parts)

    def _some(self):
        """Return what has arrived, waiting for it until the deadline."""
        left = max(0.0, self.deadline - time.monotonic())
        pipe = self.process.stdout.fileno()
        data = b""
        if select.select([pipe], [], [], left)[0]:
            data = os.read(pipe, CHUNK_BYTES)
        if not data:
            raise Lost("no answer")
        return data


def _end(process):
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # half a request was still to be sent
            pipe.close()
