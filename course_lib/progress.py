"""What was opened, passed and checked: one line for each in a file, if one is named.

The environment variable COURSE_PROGRESS names the file; `./course lab` sets it. Without
it, or while `./course tidy` and the tests run notebooks (COURSE_QUIET=1), nothing is
written. Each entry is one short line, appended in one go: two notebooks that run at the
same time both have their lines, and nothing that was there before can be lost.
"""

import contextlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path, PureWindowsPath
from typing import Any

FILE = "COURSE_PROGRESS"
NOTEBOOK = "JPY_SESSION_NAME"  # set by Jupyter: the notebook that a kernel runs


def configured() -> Path | None:
    """Where progress is noted, or None."""
    if is_quiet() or not os.environ.get(FILE):
        return None
    return Path(os.environ[FILE])


def is_quiet() -> bool:
    """Whether notebooks are run by the tools of the course."""
    return os.environ.get("COURSE_QUIET") == "1"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def note(path: Path, entry: dict[str, Any]) -> None:
    """Append an entry.

    A file that cannot be written is no reason to fail in front of a student who has
    just solved an exercise.
    """
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            # starts a line of its own, whatever a crash has left of the one before
            os.write(file, f"\n{json.dumps(entry)}\n".encode())
        finally:
            os.close(file)


def entries(path: Path) -> list[dict[str, Any]]:
    """All entries in the order of time; lines that are none are passed over."""
    try:
        lines = path.read_text(encoding="utf8", errors="replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        with contextlib.suppress(ValueError, RecursionError):
            entry = json.loads(line)
            if isinstance(entry, dict):
                found.append(entry)
    return found


def opened() -> None:
    """Note that the first cell of this notebook was run; the first time counts."""
    path, name = configured(), os.environ.get(NOTEBOOK, "")
    notebook = PureWindowsPath(name).stem  # takes / as well as \
    if path is None or not notebook:
        return
    if notebook not in begun():
        note(path, {"opened": notebook, "when": now()})


def begun() -> set[str]:
    """The notebooks that were opened, where that is noted."""
    path = configured()
    found = entries(path) if path else []
    return {str(entry["opened"]) for entry in found if "opened" in entry}
