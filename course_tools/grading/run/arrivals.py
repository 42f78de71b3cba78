"""Which submissions have arrived, or have changed, and are whole."""

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping

from course_tools.grading.bridge import files
from course_tools.grading.limits import (
    FOLDER_DEPTH,
    FOLDER_FILES,
    HALF_WRITTEN_SECONDS,
    NOTEBOOK_BYTES,
    SETTLED_SECONDS,
)
from course_tools.grading.plan import rebuild

Signature = tuple[tuple[str, int, int, int], ...]  # name, time, size, number of a file


class Arrivals:
    """Knows how each submission looked when it was taken, and how it looks now.

    A submission is taken when it has not changed for a moment. If its notebook cannot
    be read by then, somebody may still be writing it: then it has some seconds more.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.taken: dict[str, Signature] = {}
        self.settling: dict[str, tuple[Signature, float]] = {}  # since when so
        self.not_before: dict[str, float] = {}

    def look(
        self, folders: Mapping[str, str], busy: Collection[str] = ()
    ) -> dict[str, str]:
        """Return {student: folder} of what is to be graded now; `busy` can wait."""
        ready = {}
        for student, folder in folders.items():
            if student not in busy and self._is_ready(student, folder):
                ready[student] = folder
        return ready

    def again(self, student: str, seconds: float) -> None:
        """Offer this one once more, not before so many seconds have passed."""
        self.taken.pop(student, None)
        self.not_before[student] = self.clock() + seconds

    def _is_ready(self, student: str, folder: str) -> bool:
        now, found = self.clock(), signature(folder)
        if found == self.taken.get(student):
            self.settling.pop(student, None)
            return False
        before, since = self.settling.get(student, (None, now))
        if found != before:
            self.settling[student] = (found, now)
            return False
        quiet = now - since
        if quiet < SETTLED_SECONDS or now < self.not_before.get(student, now):
            return False
        if not _has_notebook(found):
            return False
        if quiet < HALF_WRITTEN_SECONDS and not is_whole(folder):
            return False
        self.taken[student] = found
        del self.settling[student]
        self.not_before.pop(student, None)
        return True


def signature(folder: str) -> Signature:
    """What changes whenever somebody writes into the folder; links are not followed."""
    return tuple(sorted(_files(folder, "", FOLDER_DEPTH)))[:FOLDER_FILES]


def _files(folder: str, below: str, depth: int) -> Iterator[tuple[str, int, int, int]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = f"{below}{entry.name}"
                about = entry.stat(follow_symlinks=False)
                yield name, about.st_mtime_ns, about.st_size, about.st_ino
                if depth and entry.is_dir(follow_symlinks=False):
                    yield from _files(entry.path, f"{name}/", depth - 1)
    except OSError:  # a link, not a folder, or just being removed
        return


def _has_notebook(found: Signature) -> bool:
    return any(name.endswith(".ipynb") for name, *_ in found)


def is_whole(folder: str) -> bool:
    """Can every notebook in it be read to its end?"""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".ipynb")]
        return all(_is_json(os.path.join(folder, name)) for name in names)
    except OSError:
        return False


def _is_json(path: str) -> bool:
    """What is no plain file, or too large, will not be read: no need to wait for it."""
    data = files.read_plain(path, NOTEBOOK_BYTES, [], "")
    try:
        return data is None or rebuild.load(data) is not None
    except rebuild.Unreadable:
        return False
