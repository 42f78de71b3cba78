"""Who grades what: one process a set at a time; sets side by side."""

import contextlib
import fcntl
import os
from collections.abc import Iterator

from course_tools.errors import CommandError
from course_tools.grading.course.records import FOLDER


@contextlib.contextmanager
def alone_with_set(folder: str, assignment: str) -> Iterator[None]:
    """Refuse to grade a set that is being graded; others may be, meanwhile."""
    descriptor = _open(folder, f"lock.{assignment}")
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            reason = f"{assignment} is being graded by another process"
            raise CommandError(reason) from error
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def alone_with_course(folder: str) -> Iterator[None]:
    """Wait for others who make the gradebook, or tell it of a new set.

    nbgrader does both in many small steps, in which two processes would meet.
    """
    descriptor = _open(folder, "lock")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _open(folder: str, name: str) -> int:
    os.makedirs(os.path.join(folder, FOLDER), exist_ok=True)
    path = os.path.join(folder, FOLDER, name)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
