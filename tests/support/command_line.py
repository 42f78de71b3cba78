"""Run a command of the course in a process of its own."""

import subprocess
import sys


def course(*words: str, **settings) -> subprocess.CompletedProcess:
    """Run a command in a process of its own, as the launcher does."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "course_tools", *words],
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )


def complaint(*words: str, code: int, **settings) -> str:
    """The one line of a command that fails."""
    done = course(*words, **settings)
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("course")
    return lines[0]
