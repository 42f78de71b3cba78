"""The commands `grade`, `feedback` and `export`: arguments in, exit code out."""

import argparse
import contextlib
import os
import shutil
import signal
import sys

from course_tools.errors import CommandError, in_one_line
from course_tools.grading import arguments
from course_tools.grading.course import registration
from course_tools.grading.course.course import Course, require_hidden
from course_tools.grading.course.export import collect, count_unmarked, write
from course_tools.grading.course.gradebook import missing_file, open_gradebook
from course_tools.grading.pages.feedback import FeedbackWriter
from course_tools.grading.run import report
from course_tools.grading.run.progress import Progress


def grade(words):
    """Run `course grade` in the current folder; returns the exit code."""
    return run_grade(_parse("grade", arguments.grade_arguments, words))


def feedback(words):
    """Run `course feedback` in the current folder; returns the exit code."""
    return run_feedback(_parse("feedback", arguments.feedback_arguments, words))


def export(words):
    """Run `course export` in the current folder; returns the exit code."""
    return run_export(_parse("export", arguments.export_arguments, words))


def _parse(name, add_arguments, words):
    parser = argparse.ArgumentParser(prog=f"course {name}", allow_abbrev=False)
    add_arguments(parser)
    options = parser.parse_args(words)
    options.course = options.course or "."
    return options


def run_grade(options):
    """Grade; what can go wrong becomes one line and an exit code."""
    forced = options.force

    def hint():
        """--force is over once the old results are forgotten."""
        return " without --force" if forced and not options.force else ""

    return _guarded(lambda: _grade(options), hint)


def run_feedback(options):
    """Write feedback; what can go wrong becomes one line and an exit code."""
    return _guarded(lambda: _feedback(options))


def run_export(options):
    """Write a table; what can go wrong becomes one line and an exit code."""
    return _guarded(lambda: _export(options))


def _grade(options):
    from course_tools.grading.run.coordinator import Coordinator

    course = Course(options.course, options.db)
    if not options.unsafe:
        require_hidden(course.folder, *filter(None, [options.submissions]))
    name = course.full_name(options.assignment)
    found, left_out = course.submissions(name, options.submissions)
    if options.only:
        found, left_out = _chosen(options.only, found), {}
    progress = Progress(len(found))
    try:
        registration.ensure(course, name)
        coordinator = Coordinator(course, name, options)
        rows = coordinator.run(found, progress)
    finally:
        progress.close()
    _show(report.Report(name, rows, left_out, coordinator), options.json)
    return 0


def _chosen(only, found):
    """Return the submissions that --only names."""
    unknown = sorted(set(only) - set(found))
    if unknown:
        hint = "; repeat --only for each" if "," in "".join(unknown) else ""
        raise CommandError(f"no submission of {', '.join(unknown)}{hint}")
    return {student: found[student] for student in only}


def _show(made, as_json):
    """Print the report; the text is kept, too."""
    kept = made.done.records.keep_report(made.as_text())
    if as_json:
        print(made.as_json())
        return
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    short = os.path.relpath(kept)
    print(made.as_text(width))
    print(f"this report: {kept if short.startswith(os.pardir) else short}")


def _feedback(options):
    course = Course(options.course, options.db)
    name = course.full_name(options.assignment)
    with _existing_gradebook(course) as gradebook:
        graded = _graded(course, gradebook, name)
        students = options.only or graded
        unknown = sorted(set(students) - set(graded))
        if unknown or not graded:
            who = f" of {', '.join(unknown)}" if unknown else ""
            raise CommandError(f"nothing graded{who} in {name}")
        with contextlib.closing(FeedbackWriter(course, gradebook, name)) as scribe:
            count = sum(scribe.write(student) for student in students)
    print(f"{count} pages of feedback for {len(students)} students")
    return 0


def _graded(course, gradebook, name):
    """Return who has a graded notebook and is in the gradebook, too."""
    known = {item.student_id for item in gradebook.assignment_submissions(name)}
    return [student for student in course.graded(name) if student in known]


def _export(options):
    course = Course(options.course, options.db)
    names = [course.full_name(name) for name in options.assignment]
    with _existing_gradebook(course) as gradebook:
        rows = collect(gradebook, names)
        unmarked = count_unmarked(gradebook, names)
    if unmarked:
        print(f"course: {report.waiting(unmarked)}", file=sys.stderr)
    if options.to is None:
        write(rows, options.format, sys.stdout)
    else:
        with open(options.to, "w", encoding="utf-8", newline="") as file:
            write(rows, options.format, file)
    return 0


def _existing_gradebook(course):
    """Open the gradebook; opening one that is not there would make it."""
    path = missing_file(course.db_url)
    if path:
        raise CommandError(f"nothing graded here yet: there is no {path}")
    return open_gradebook(course)


def _guarded(action, hint=str):
    """Turn what can go wrong outside into one line and an exit code."""
    try:
        return action()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left takes a moment
        line = f"course: stopped; run the same command again{hint()} to continue"
        print(line, file=sys.stderr)
        return 130
    except BrokenPipeError:
        raise  # who reads has seen enough
    except Exception as error:
        if os.environ.get("COURSE_TRACEBACK"):
            raise
        print(f"course: {in_one_line(error)}", file=sys.stderr)
    return 1
