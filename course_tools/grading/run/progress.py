"""How far grading is: one line on the terminal, rewritten after each submission."""

import os
import sys
import time
from typing import NoReturn, TextIO

from tqdm import tqdm

from course_tools.grading.messages import Row
from course_tools.grading.run.report import is_odd

LINE = "{bar:24} {n_fmt}/{total_fmt}  {rate_fmt}, {remaining} left  {desc}"


class Progress:
    """A bar that says how many are done, how fast, how long still, and failures."""

    def __init__(
        self, total: int, shown: bool = True, stream: TextIO | None = None
    ) -> None:
        stream = sys.stderr if stream is None else stream
        terminal = stream is not None and stream.isatty()
        quiet = os.environ.get("TERM") == "dumb" or "COURSE_QUIET" in os.environ
        self.odd = 0
        self.bar: tqdm[NoReturn] = tqdm(
            desc=self._troubled(),
            total=total,
            unit=" submission",
            file=stream,
            disable=quiet or not (shown and terminal),
            dynamic_ncols=True,
            mininterval=0.0,
            smoothing=0.0,  # the mean since the first was graded
            bar_format=LINE,
        )

    def skip(self, row: Row) -> None:
        """This one was graded by an earlier run: no measure of how fast it goes."""
        if not self.bar.disable:
            self.bar.initial += 1
            if self.bar.n < self.bar.initial:  # none is graded yet
                self.bar.start_t = time.time()
        self._count(row)

    def step(self, row: Row) -> None:
        self._count(row)

    def _count(self, row: Row) -> None:
        self.odd += is_odd(row)
        self.bar.set_description_str(self._troubled(), refresh=False)
        self.bar.update()

    def _troubled(self) -> str:
        return f"{self.odd} with incidents"

    def close(self) -> None:
        self.bar.close()
