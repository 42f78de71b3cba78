"""The commands `grade`, `feedback` and `export`: arguments in, exit code out."""

import argparse
import contextlib
import os
import sys

from course_lib.grading import assignment, report
from course_lib.grading.course import Course, CourseError
from course_lib.grading.export import FORMATS, collect, write
from course_lib.grading.feedback import FeedbackWriter
from course_lib.grading.gradebook import open_gradebook


def grade_parser():
    parser = argparse.ArgumentParser(
        prog="course grade",
        description="Grade every submission of a problem set, in parallel, sandboxed.",
    )
    parser.add_argument("assignment", help="for example ps1")
    parser.add_argument("--submissions", metavar="DIR", help="DIR/<student>/<set>/")
    parser.add_argument("--course", metavar="DIR", default=".", help="course folder")
    parser.add_argument("--workers", type=_positive, help="default: one per core")
    parser.add_argument("--db", metavar="URL", help="gradebook, e.g. postgresql://…")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler")
    parser.add_argument("--only", metavar="STUDENT", action="append", default=[])
    parser.add_argument("--force", action="store_true", help="grade again")
    parser.add_argument("--timeout", type=_seconds, default=30.0, help="per question")
    parser.add_argument("--json", action="store_true", help="one object on stdout")
    parser.add_argument("--no-feedback", action="store_true")
    parser.add_argument("--unsafe-no-sandbox", dest="unsafe", action="store_true")
    return parser


def _positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _seconds(text):
    value = float(text)
    if not 0 < value < 100_000:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")
    return value


def grade(argv):
    """Run `course grade`; returns the exit code."""
    options = grade_parser().parse_args(argv)
    return _guarded(lambda: _grade(options))


def _grade(options):
    from course_lib.grading.coordinator import Coordinator

    course = Course(options.course, options.db)
    name = course.full_name(options.assignment)
    found = course.submissions(name, options.submissions)
    if options.only:
        unknown = sorted(set(options.only) - set(found))
        if unknown:
            raise CourseError(f"no submission of {', '.join(unknown)}")
        found = {student: found[student] for student in options.only}
    assignment.ensure(course, name)
    coordinator = Coordinator(course, name, options)
    progress = report.Progress(len(found), shown=not options.json)
    try:
        rows = coordinator.run(found, progress)
    finally:
        progress.close()
    if options.json:
        print(report.as_json(name, coordinator.seconds, rows))
        return 0
    print(report.table(rows))
    print()
    print(report.summary(rows))
    print(f"\n{coordinator.graded} graded, {len(rows) - coordinator.graded} as before")
    return 0


def feedback(argv):
    """Run `course feedback`; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="course feedback",
        description="Write HTML feedback for every graded submission.",
    )
    parser.add_argument("assignment")
    parser.add_argument("--course", metavar="DIR", default=".")
    parser.add_argument("--db", metavar="URL")
    parser.add_argument("--only", metavar="STUDENT", action="append", default=[])
    options = parser.parse_args(argv)
    return _guarded(lambda: _feedback(options))


def _feedback(options):
    course = Course(options.course, options.db)
    name = course.full_name(options.assignment)
    students = options.only or course.graded(name)
    with contextlib.closing(open_gradebook(course)) as gradebook:
        scribe = FeedbackWriter(course, gradebook, name)
        count = sum(scribe.write(student) for student in students)
    print(f"{count} pages of feedback for {len(students)} students")
    return 0


def export(argv):
    """Run `course export`; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="course export",
        description="Write all scores as a table: nbgrader's CSV, Canvas or Moodle.",
    )
    parser.add_argument("--format", choices=FORMATS, default="nbgrader")
    parser.add_argument("--to", metavar="FILE", help="default: standard output")
    parser.add_argument("--assignment", action="append", default=[])
    parser.add_argument("--course", metavar="DIR", default=".")
    parser.add_argument("--db", metavar="URL")
    options = parser.parse_args(argv)
    return _guarded(lambda: _export(options))


def _export(options):
    course = Course(options.course, options.db)
    names = [course.full_name(name) for name in options.assignment]
    with contextlib.closing(open_gradebook(course)) as gradebook:
        rows = collect(gradebook, names)
    if options.to is None:
        write(rows, options.format, sys.stdout)
    else:
        with open(options.to, "w", encoding="utf-8", newline="") as file:
            write(rows, options.format, file)
    return 0


def _guarded(action):
    """Turn what can go wrong outside into one line and an exit code."""
    from sqlalchemy.exc import SQLAlchemyError

    from course_lib.grading.launch import NoSandbox

    try:
        return action()
    except KeyboardInterrupt:
        print("stopped; run the same command again to continue", file=sys.stderr)
        return 130
    except CourseError as error:
        print(f"error: {error}", file=sys.stderr)
    except NoSandbox as error:
        print(
            f"error: no sandbox can be made here ({error}); see --unsafe-no-sandbox",
            file=sys.stderr,
        )
    except SQLAlchemyError as error:
        line = str(getattr(error, "orig", error)).split("\n")[0]
        print(f"error: the gradebook cannot be used: {line}", file=sys.stderr)
    except OSError as error:
        name = os.path.basename(str(error.filename or ""))
        print(f"error: {error.strerror or error} {name}".rstrip(), file=sys.stderr)
    except Exception as error:
        if os.environ.get("COURSE_TRACEBACK"):
            raise
        line = str(error).split("\n")[0]
        print(f"error: {type(error).__name__}: {line}", file=sys.stderr)
    return 1
