"""The answer keys of an assignment; the gradebook learns of it if it has to."""

import logging
import os
import tempfile
import warnings
from typing import Any

from nbgrader.api import Course as CourseRow
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory

from course_tools.errors import CommandError
from course_tools.grading.course import find_submissions
from course_tools.grading.course.course import Course
from course_tools.grading.course.gradebook import missing_file
from course_tools.grading.course.nbgrader_log import Heard
from course_tools.grading.plan import answer_key, hidden_tests
from course_tools.grading.plan.answer_key import AnswerKeys

REFUSED = "Cannot add or remove cells", "Cannot modify existing assignment"


def require_known(course: Course, name: str) -> None:
    """Refuse an assignment of which there is neither source nor gradebook.

    To be asked before the gradebook is opened, which would make it.
    """
    if not _has_source(course, name) and missing_file(course.db_url):
        raise _unknown(course, name)


def answer_keys(course: Course, gradebook: Gradebook, name: str) -> AnswerKeys:
    """Return the keys of an assignment; the gradebook is brought up to date first."""
    # nbgrader stores no course that has no name; only SQLite puts up with that
    gradebook.db.merge(CourseRow(id=course.course_id))
    gradebook.db.commit()
    keys = _read(course, gradebook, name)
    if _has_source(course, name):
        if _is_outdated(course, name, keys):
            gradebook.db.commit()
            register(course, name)
            gradebook.db.expire_all()
            keys = _read(course, gradebook, name)
    elif not keys:
        raise _unknown(course, name)
    if not keys:
        raise CommandError(f"no notebooks of {name} in the gradebook")
    return keys


def _read(course: Course, gradebook: Gradebook, name: str) -> AnswerKeys:
    marks = hidden_tests.marks_of(course.config)
    try:
        return answer_key.read(gradebook, name, course.source(name), marks)
    except MissingEntry:
        return {}


def _has_source(course: Course, name: str) -> bool:
    source = course.source(name)
    return os.path.isdir(source) and bool(find_submissions.notebooks(source))


def _is_outdated(course: Course, name: str, keys: AnswerKeys) -> bool:
    names = find_submissions.notebooks(course.source(name))
    written = {file.removesuffix(".ipynb") for file in names}
    return not written <= set(keys) or any(map(answer_key.is_outdated, keys.values()))


def _unknown(course: Course, name: str) -> CommandError:
    place = course.source(name)
    return CommandError(f"{name!r} is not in the gradebook, and no notebook in {place}")


def register(course: Course, name: str) -> None:
    """Read the source into the gradebook; the student version is thrown away."""
    log = logging.getLogger("course.grading.register")
    log.propagate, log.handlers = False, [heard := Heard()]
    with tempfile.TemporaryDirectory() as folder:
        config: Any = course.config.copy()
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


def _explain(name: str, reason: str) -> str:
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
