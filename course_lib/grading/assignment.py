"""Make sure the gradebook knows an assignment before it is graded."""

import logging
import os
import tempfile

from nbgrader.api import Course as CourseRow
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory

from course_lib.grading import truth
from course_lib.grading.course import CourseError


def ensure(course, name):
    """Register an assignment if the gradebook lacks it or holds older tests."""
    with Gradebook(course.db_url, course.course_id) as gradebook:
        # nbgrader stores no course that has no name; only SQLite puts up with that
        gradebook.db.merge(CourseRow(id=course.course_id))
        gradebook.db.commit()
        try:
            found = truth.read(gradebook, name, course.source(name))
            if found and not any(map(truth.is_outdated, found.values())):
                return
        except MissingEntry:
            pass
    if not os.path.isdir(course.source(name)):
        raise CourseError(
            f"assignment {name!r} is neither in the gradebook nor in the source folder"
        )
    register(course, name)


def register(course, name):
    """Read the source into the gradebook; the student version is thrown away."""
    log = logging.getLogger("course.grading.register")
    log.setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        config = course.config.copy()
        config.CourseDirectory.release_directory = os.path.join(folder, "release")
        config.CourseDirectory.assignment_id = name
        config.CourseDirectory.db_url = course.db_url
        directory = CourseDirectory(config=config)
        converter = GenerateAssignment(coursedir=directory, config=config)
        converter.log = log
        converter.create_assignment = True
        try:
            converter.start()
        except Exception as error:
            line = str(error).split("\n")[0]
            raise CourseError(
                f"{name} cannot be read into the gradebook: {line}"
            ) from error
