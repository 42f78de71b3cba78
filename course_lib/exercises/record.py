"""Which exercises were passed, where progress is noted: course_lib/progress.py."""

import contextlib
from pathlib import Path

from course_lib import progress


def passed(lecture: str, exercise: int) -> None:
    """Remember that an exercise was passed; the first time counts."""
    path = progress.configured()
    if path is None or (lecture, exercise) in recorded(path):
        return
    line = {"lecture": lecture, "exercise": exercise, "passed": progress.now()}
    progress.note(path, line)


def recorded(path: Path) -> dict[tuple[str, int], str]:
    """(lecture, exercise) -> when it was first passed; odd lines are passed over."""
    passes: dict[tuple[str, int], str] = {}
    for entry in progress.entries(path):
        with contextlib.suppress(ValueError, KeyError, TypeError):
            key = str(entry["lecture"]), int(entry["exercise"])
            passes.setdefault(key, str(entry["passed"]))
    return passes
