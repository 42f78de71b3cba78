"""Where a course keeps its things: folders, configuration, address of the gradebook."""

import os
import sys
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from course_tools.errors import CommandError
from course_tools.grading.course import find_submissions
from course_tools.grading.course.problem_sets import find_set


def require_hidden(*folders: str) -> None:
    """Refuse to grade where the sandbox would show solutions or other submissions."""
    from course_tools.grading.sandbox import namespaces  # Linux

    for folder in folders:
        if namespaces.shows(folder):
            raise CommandError(
                f"{folder} lies among the programs that submitted code can read; "
                "move it elsewhere"
            )


class Course:
    """An nbgrader course folder, read through nbgrader's own configuration."""

    def __init__(self, folder: str | Path, db_url: str | None = None) -> None:
        self.folder = os.path.abspath(folder)
        if not os.path.isdir(self.folder):
            raise CommandError(f"no such course folder: {folder}")
        self.config: Any = load_config(self.folder)
        if "root" not in self.config.CourseDirectory:
            self.config.CourseDirectory.root = self.folder
        if db_url:
            self.config.CourseDirectory.db_url = db_url
        self.directory = CourseDirectory(config=self.config)
        self.db_url: str = self.directory.db_url
        self.course_id: str = self.directory.course_id
        _find_programs()

    def path(self, step: str, student: str, assignment: str) -> str:
        """Return nbgrader's folder of one step: source, submitted, autograded, …"""
        folder = getattr(self.directory, f"{step}_directory")
        return self.directory.format_path(folder, student, assignment)

    def source(self, assignment: str) -> str:
        return self.path("source", ".", assignment)

    def assignments(self) -> list[str]:
        """Return the names of all assignments that have a source folder."""
        parent = os.path.dirname(self.source("x"))
        if not os.path.isdir(parent):
            return []
        return sorted(
            name
            for name in os.listdir(parent)
            if os.path.isdir(os.path.join(parent, name)) and name[0] not in "._"
        )

    def full_name(self, word: str) -> str:
        """Return the assignment that `word` means: a name, its beginning, or a path."""
        names = self.assignments()
        if not names:
            return os.path.basename(word.rstrip("/"))
        try:
            return word if word in names else find_set(word, names)
        except CommandError as error:
            raise CommandError(str(error)) from None  # 1: grading cannot go on

    def timeout(self) -> float | None:
        """Return the seconds that nbgrader is told to give to a cell, or None."""
        return timeout_of(self.config)

    def graded(self, assignment: str) -> list[str]:
        """Return the students who have an autograded version of the assignment."""
        pattern = self.path("autograded", "\0", assignment)
        parent, _, rest = pattern.partition("\0")
        if not os.path.isdir(parent):
            return []
        return [
            name
            for name in sorted(os.listdir(parent))
            if os.path.isdir(os.path.join(parent, name, rest.strip("/")))
        ]

    def handed_in(self, assignment: str) -> str:
        """Return the folder in which nbgrader expects the folders of students."""
        pattern = self.path("submitted", "\0", assignment)
        return pattern.partition("\0")[0].rstrip("/")

    def submissions(
        self, assignment: str, folder: str | None = None
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Return {student: folder} of all handed in, and {name: why} of the rest."""
        if folder is None:
            pattern = self.path("submitted", "\0", assignment)
            parent, _, rest = pattern.partition("\0")
            rest = rest.strip("/")
        else:
            parent, rest = folder, assignment
        if not os.path.isdir(parent):
            hint = "; see --submissions" if folder is None else ""
            raise CommandError(f"no folder of submissions: {parent}{hint}")
        loose = folder is not None
        folders, left_out = find_submissions.find(parent, rest, loose)
        if not folders:
            raise CommandError(find_submissions.why_none(parent, assignment, loose))
        if loose and self._of_one_student(folders, parent, assignment):
            raise CommandError(f"{parent} is the folder of one student, not of a class")
        return folders, left_out

    def _of_one_student(
        self, folders: dict[str, str], parent: str, assignment: str
    ) -> bool:
        """Whether the folders found are those of assignments."""
        known = {assignment, *self.assignments()}
        own = folders.get(assignment) == os.path.join(parent, assignment)
        return own and set(folders) <= known


def timeout_of(config: Config) -> float | None:
    """Return the seconds that a configuration of nbgrader gives to a cell, or None."""
    for part in ("Execute", "ExecutePreprocessor"):
        value = config[part].get("timeout")
        if isinstance(value, int | float) and value > 0:
            return float(value)
    return None


def _find_programs() -> None:
    """nbgrader starts `alembic` by name when it makes a gradebook."""
    folder = os.path.dirname(sys.executable)
    if folder not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = folder + os.pathsep + os.environ.get("PATH", "")


def load_config(folder: str) -> Config:
    """Return the configuration in nbgrader_config.py, or an empty one."""
    try:
        return PyFileConfigLoader("nbgrader_config.py", path=folder).load_config()
    except ConfigFileNotFound:
        return Config()
