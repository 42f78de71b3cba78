"""The commands `grade`, `feedback` and `export`: arguments in, exit code out.

What goes wrong is raised; the command line turns it into one line.
"""

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TextIO

from nbgrader.api import Gradebook

from course_tools import grading
from course_tools.atomic import replacing
from course_tools.errors import CommandError
from course_tools.grading.course import canvas_roster
from course_tools.grading.course.course import Course
from course_tools.grading.course.export import (
    collect,
    count_unmarked,
    write,
    write_rows,
)
from course_tools.grading.course.gradebook import missing_file, open_gradebook
from course_tools.grading.options import FORMATS, GradeOptions
from course_tools.grading.pages.feedback import FeedbackWriter
from course_tools.grading.run import watch
from course_tools.grading.run.report import Report, waiting
from course_tools.words import number_of


def run_grade(arguments: argparse.Namespace) -> int:
    """Grade a set and print the report; with --watch, a line for each submission."""
    options = GradeOptions(
        submissions=arguments.submissions,
        only=tuple(arguments.only),
        force=arguments.force,
        timeout=arguments.timeout,
        workers=arguments.workers,
        scheduler=arguments.scheduler,
        db=arguments.db,
        feedback=not arguments.no_feedback,
        unsafe=arguments.unsafe,
        progress=True,
    )
    if arguments.watch:
        place = (arguments.course, arguments.assignment, options)
        watch.watch(*place, _say, arguments.json)
    report = grading.grade(arguments.course, arguments.assignment, options)
    print(report.as_json() if arguments.json else _on_terminal(report))
    return 0


def _say(line: str) -> None:
    """A line at once, also when it goes to a file or a program."""
    print(line, flush=True)


def _on_terminal(report: Report) -> str:
    """Return the report for people; the file that keeps it is named."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    short = os.path.relpath(report.path)
    place = report.path if short.startswith(os.pardir) else short
    return f"{report.as_text(width)}\nthis report: {place}"


def run_feedback(arguments: argparse.Namespace) -> int:
    """Write the pages of a set again."""
    course = Course(arguments.course, arguments.db)
    name = course.full_name(arguments.assignment)
    with _existing_gradebook(course) as gradebook:
        graded = _graded(course, gradebook, name)
        students = arguments.only or graded
        unknown = sorted(set(students) - set(graded))
        if unknown or not graded:
            who = f" of {', '.join(unknown)}" if unknown else ""
            raise CommandError(f"nothing graded{who} in {name}")
        with contextlib.closing(FeedbackWriter(course, gradebook, name)) as writer:
            count = sum(writer.write(student) for student in students)
    made, whose = number_of(count, "page"), number_of(len(students), "student")
    print(f"{made} of feedback for {whose}")
    if writer.shortened:
        names = ", ".join(dict.fromkeys(writer.shortened))
        line = "note: scores without the notebook, which took too long to show"
        print(f"{line}: {names}; try them again with --only", file=sys.stderr)
    return 0


def _graded(course: Course, gradebook: Gradebook, name: str) -> list[str]:
    """Return who has a graded notebook and is in the gradebook, too."""
    known = {item.student_id for item in gradebook.assignment_submissions(name)}
    return [student for student in course.graded(name) if student in known]


def run_export(arguments: argparse.Namespace) -> int:
    """Write a table of scores."""
    course = Course(arguments.course, arguments.db)
    if arguments.roster and arguments.format not in (FORMATS[0], "canvas"):
        raise CommandError("--roster is a table of Canvas", code=2)
    names = [course.full_name(name) for name in arguments.assignment]
    roster = canvas_roster.read(arguments.roster) if arguments.roster else []
    with _existing_gradebook(course) as gradebook:
        entries = collect(gradebook, names)
        unmarked = count_unmarked(gradebook, names)
    if unmarked:
        print(f"course: {waiting(unmarked)}", file=sys.stderr)
    with _output(arguments.to) as file:
        if arguments.roster:
            rows, notes = canvas_roster.fill(entries, roster)
            write_rows(rows, file)
            for note in notes:
                print(f"course: {note}", file=sys.stderr)
        else:
            write(entries, arguments.format, file)
    return 0


@contextlib.contextmanager
def _output(path: str | None) -> Iterator[TextIO]:
    """Where a table goes: a file is the old or the new one, never half."""
    if path is None:
        yield sys.stdout
        return
    is_file = os.path.isfile(path) or not os.path.exists(path)  # else such as /dev/fd/3
    with contextlib.ExitStack() as stack:
        place = stack.enter_context(replacing(path, 0o600)) if is_file else path
        yield stack.enter_context(open(place, "w", encoding="utf-8", newline=""))


def _existing_gradebook(course: Course) -> AbstractContextManager[Gradebook]:
    """Open the gradebook; opening one that is not there would make it."""
    path = missing_file(course.db_url)
    if path:
        raise CommandError(f"nothing graded here yet: there is no {path}")
    return open_gradebook(course)
