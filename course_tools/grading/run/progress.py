"""How far grading is: one line on the terminal, rewritten after each submission."""

import os
import shutil
import sys
import time

from course_tools.grading.run.report import is_odd


class Progress:
    """One line that is rewritten: how many, how fast, how long still, failures."""

    def __init__(self, total, shown=True, stream=None):
        self.total = total
        self.stream = stream or sys.stderr
        terminal = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.shown = shown and terminal
        self.start = time.perf_counter()
        self.done = self.skipped = self.troubled = 0
        self._draw()

    def skip(self, row):
        """This one was graded by an earlier run."""
        self.skipped += 1
        self.troubled += is_odd(row)
        if not self.done:
            self.start = time.perf_counter()  # to look it up is no measure of grading
        self._draw()

    def step(self, row):
        self.done += 1
        self.troubled += is_odd(row)
        self._draw()

    def line(self):
        finished = self.done + self.skipped
        filled = 24 * finished // max(self.total, 1)
        bar = "#" * filled + "." * (24 - filled)
        return (
            f"[{bar}] {finished}/{self.total}  {self._speed(finished)}  "
            f"{self.troubled} with incidents"
        )

    def _speed(self, finished):
        if not self.done:
            return "starting"
        rate = self.done / max(time.perf_counter() - self.start, 1e-6)
        return f"{rate:.1f}/s  {duration((self.total - finished) / rate)} left"

    def _draw(self):
        if self.shown:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write("\r" + self.line()[:width] + "\x1b[K")
            self.stream.flush()

    def close(self):
        if self.shown:
            self.stream.write("\n")
            self.stream.flush()


def duration(seconds):
    """Return a rough length of time, as a person would say it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{seconds / 3600:.1f} h"
