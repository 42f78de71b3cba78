"""Make sure the gradebook knows an assignment before it is graded."""

import logging
import os
import tempfile
import warnings

from nbgrader.api import Course as CourseRow
from nbgrader.api import MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory

from course_tools.errors import CommandError
from course_tools.grading.course import find_submissions
from course_tools.grading.course.gradebook import missing_file, open_gradebook
from course_tools.grading.course.nbgrader_log import Heard
from course_tools.grading.plan import answer_key

REFUSED = "Cannot add or remove cells", "Cannot modify existing assignment"


def ensure(course, name):
    """Register an assignment if the gradebook lacks it or holds older tests."""
    source = course.source(name)
    has_source = os.path.isdir(source) and bool(find_submissions.notebooks(source))
    if not has_source and missing_file(course.db_url):
        raise _unknown(name, source)
    with open_gradebook(course) as gradebook:
        # nbgrader stores no course that has no name; only SQLite puts up with that
        gradebook.db.merge(CourseRow(id=course.course_id))
        gradebook.db.commit()
        try:
            found = answer_key.read(gradebook, name, source)
        except MissingEntry:
            found = {}
    if has_source:
        if _is_outdated(found, source):
            register(course, name)
    elif not found:
        raise _unknown(name, source)


def _is_outdated(found, source):
    written = {
        file.removesuffix(".ipynb") for file in find_submissions.notebooks(source)
    }
    return not written <= set(found) or any(map(answer_key.is_outdated, found.values()))


def _unknown(name, source):
    return CommandError(
        f"{name!r} is not in the gradebook, and no notebook in {source}"
    )


def register(course, name):
    """Read the source into the gradebook; the student version is thrown away."""
    log = logging.getLogger("course.grading.register")
    log.propagate, log.handlers = False, [heard := Heard()]
    with tempfile.TemporaryDirectory() as folder:
        config = course.config.copy()
        config.CourseDirectory.release_directory = os.path.join(folder, "release")
        config.CourseDirectory.assignment_id = name
        config.CourseDirectory.db_url = course.db_url
        directory = CourseDirectory(config=config)
        converter = GenerateAssignment(coursedir=directory, config=config, log=log)
        converter.create_assignment = True
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about cells without ids and the like
                converter.start()
        except Exception as error:
            raise CommandError(_explain(name, heard.reason or str(error))) from error


def _explain(name, reason):
    """Return one line: what nbgrader said, and what can be done about it."""
    lines = reason.strip().splitlines() or ["nbgrader does not say why"]
    text = lines[0]
    for refusal in REFUSED:
        if refusal in text:
            text = text[text.index(refusal) :]
            text += (
                "; undo that change, or give up all scores and marks of the set with: "
                f"nbgrader db assignment remove {name} --force"
            )
    return f"{name} cannot be read into the gradebook: {text}"
