"""Where a course keeps its things: folders, configuration, address of the gradebook."""

import os
import sys

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from course_lib.grading import sandbox


class CourseError(Exception):
    """Something about the course folder stops grading; the text is for the user."""


def require_hidden(*folders):
    """Refuse to grade where the sandbox would show solutions or other submissions."""
    for folder in folders:
        if sandbox.shows(folder):
            raise CourseError(
                f"{folder} lies among the programs that submitted code can read; "
                "move it elsewhere"
            )


class Course:
    """An nbgrader course folder, read through nbgrader's own configuration."""

    def __init__(self, folder, db_url=None):
        self.folder = os.path.abspath(folder)
        if not os.path.isdir(self.folder):
            raise CourseError(f"no such course folder: {folder}")
        self.config = load_config(self.folder)
        if "root" not in self.config.CourseDirectory:
            self.config.CourseDirectory.root = self.folder
        if db_url:
            self.config.CourseDirectory.db_url = db_url
        self.directory = CourseDirectory(config=self.config)
        self.db_url = self.directory.db_url
        self.course_id = self.directory.course_id
        _find_programs()

    def path(self, step, student, assignment):
        """Return nbgrader's folder of one step: source, submitted, autograded, …"""
        folder = getattr(self.directory, f"{step}_directory")
        return self.directory.format_path(folder, student, assignment)

    def source(self, assignment):
        return self.path("source", ".", assignment)

    def assignments(self):
        """Return the names of all assignments that have a source folder."""
        parent = os.path.dirname(self.source("x"))
        if not os.path.isdir(parent):
            return []
        return sorted(
            name
            for name in os.listdir(parent)
            if os.path.isdir(os.path.join(parent, name)) and name[0] not in "._"
        )

    def full_name(self, short):
        """Return the assignment called `short`, or the only one that starts so."""
        names = self.assignments()
        if short in names:
            return short
        matching = [name for name in names if name.startswith(short + "_")]
        if len(matching) == 1:
            return matching[0]
        if not names:
            return short
        known = ", ".join(names)
        raise CourseError(f"no assignment {short!r} here; there are: {known}")

    def graded(self, assignment):
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

    def submissions(self, assignment, folder=None):
        """Return {student: folder} of all handed in, and {name: why} of the rest."""
        if folder is None:
            pattern = self.path("submitted", "\0", assignment)
            parent, _, rest = pattern.partition("\0")
            rest = rest.strip("/")
        else:
            parent, rest = folder, assignment
        if not os.path.isdir(parent):
            raise CourseError(f"no folder of submissions: {parent}")
        found, left_out = {}, {}
        for name in sorted(os.listdir(parent)):
            inner, plain = os.path.join(parent, name, rest), os.path.join(parent, name)
            if name.startswith("."):
                continue
            if not os.path.isdir(plain):
                left_out[name] = "not the folder of a student"
            elif os.path.isdir(inner):
                found[name] = inner
            elif folder is not None and _holds_notebooks(plain):
                found[name] = plain
            else:
                left_out[name] = "no notebook in it"
        if not found:
            raise CourseError(_why_none(parent, assignment, left_out))
        if folder is not None and list(found) == [assignment]:
            raise CourseError(f"{parent} is the folder of one student, not of a class")
        return found, left_out


def _find_programs():
    """nbgrader starts `alembic` by name when it makes a gradebook."""
    folder = os.path.dirname(sys.executable)
    if folder not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = folder + os.pathsep + os.environ.get("PATH", "")


def _holds_notebooks(folder):
    try:
        return any(name.endswith(".ipynb") for name in os.listdir(folder))
    except OSError:
        return True  # reading it will say why


def _why_none(parent, assignment, left_out):
    if any(name.endswith(".ipynb") for name in left_out):
        return (
            f"{parent} holds notebooks, but no folder for each student; "
            f"expected: {parent}/STUDENT/{assignment}.ipynb"
        )
    return f"no submission of {assignment} in {parent}"


def load_config(folder):
    """Return the configuration in nbgrader_config.py, or an empty one."""
    try:
        return PyFileConfigLoader("nbgrader_config.py", path=folder).load_config()
    except ConfigFileNotFound:
        return Config()
