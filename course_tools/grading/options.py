"""What one may choose when grading; the command line fills it in, and so may a program.

Nothing but the standard library, and little of it: `./course --help` loads this.
"""

from dataclasses import dataclass

FORMATS = ("nbgrader", "canvas", "moodle")  # of a table of scores


@dataclass(frozen=True)
class GradeOptions:
    """How `grade` works; the defaults are those of `./course grade SET`."""

    submissions: str | None = None  # a folder; None: the course's own
    only: tuple[str, ...] = ()  # students; none: all who handed in
    force: bool = False  # grade again what is graded
    timeout: float | None = None  # seconds per cell and question; None: the course's
    workers: int | None = None  # None: one per core
    scheduler: str | None = None  # address of a Dask cluster; None: this machine
    db: str | None = None  # address of the gradebook; None: the course's
    feedback: bool = True  # write pages for students
    unsafe: bool = False  # run students' code without a sandbox
    progress: bool = False  # show a bar on the terminal
