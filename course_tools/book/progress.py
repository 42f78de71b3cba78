"""What a build says while it works: a bar at a terminal, elsewhere a line a stage."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tqdm import tqdm

from course_tools.book.frames import drawn_so_far

# stages: of a chapter the first three, then the index of the search
DRAWING, WRITING, WRITTEN, SEARCH = "drawing", "writing", "written", "search"
Tell = Callable[[str, str], None]  # a stage, and the name of what it works on
WORDS = {
    DRAWING: "{}: runs once, so that its interactive parts can be drawn",
    WRITTEN: "{}: written",
    SEARCH: "the index of the search",
}
SECOND = 1.0


def silent(stage: str, name: str) -> None:
    """Tells nobody."""


class Progress:
    """Tells a person; to be used as `with Progress(...) as tell`."""

    def __init__(self, total: int, cache: Path) -> None:
        self.cache = cache
        self.bar = tqdm(total=total, unit="page", disable=None, file=sys.stderr)
        self.drawn: list[str] = []  # lectures that are running
        self.ended = threading.Event()
        self.clock = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> "Progress":
        if not self.bar.disable:
            self.clock.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.ended.set()
        if self.clock.is_alive():
            self.clock.join()
        self.bar.close()

    def __call__(self, stage: str, name: str) -> None:
        if stage == DRAWING:
            self.drawn.append(name)
        elif name in self.drawn:
            self.drawn.remove(name)
        if self.bar.disable:
            if stage in WORDS:
                print(WORDS[stage].format(name), file=sys.stderr, flush=True)
        elif stage == WRITTEN:
            self.bar.update()
        else:
            self.bar.set_description(name or WORDS[stage])

    def _tick(self) -> None:
        """Every second: how many pictures the running lectures have drawn."""
        while not self.ended.wait(SECOND):
            running = [
                f"{name}: {drawn_so_far(name, self.cache)} pictures"
                for name in list(self.drawn)
            ]
            self.bar.set_postfix_str(", ".join(running))
