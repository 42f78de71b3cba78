"""Grade all submissions of an assignment: read, run in parallel, write down.

Only this process opens the gradebook. Every submission is finished by one
transaction and then by one small record (see `records`); whatever has no record that
fits, no autograded folder, or no place in the gradebook is graded again. So a run
may be stopped anywhere.
"""

import concurrent.futures
import contextlib
import fcntl
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace

from course_tools.errors import CommandError, Stopped
from course_tools.grading.bridge import files
from course_tools.grading.course import registration
from course_tools.grading.course.course import Course, require_hidden
from course_tools.grading.course.gradebook import Total, open_gradebook
from course_tools.grading.course.records import FOLDER
from course_tools.grading.limits import REHEARSED_FROM, Limits
from course_tools.grading.messages import Result, Row
from course_tools.grading.options import GradeOptions
from course_tools.grading.plan.answer_key import AnswerKey
from course_tools.grading.run import submission
from course_tools.grading.run.progress import Progress
from course_tools.grading.run.report import GIVEN_UP, Report
from course_tools.grading.run.submission import Submission, Task
from course_tools.grading.run.workers import LocalWorkers, Workers
from course_tools.grading.run.writer import Writer, is_of_the_machine
from course_tools.grading.run.zygote_client import NoSandbox

AGAIN = "stopped; run the same command again{} to continue"


def grade(folder: str, word: str, options: GradeOptions) -> Report:
    """Grade the assignment that `word` means in a course folder."""
    course = Course(folder, options.db)
    if not options.unsafe:
        require_hidden(course.folder, *filter(None, [options.submissions]))
    assignment = course.full_name(word)
    folders, left_out = course.submissions(assignment, options.submissions)
    if options.only:
        folders, left_out = _chosen(options.only, folders), {}
    registration.require_known(course, assignment)
    progress = Progress(len(folders), shown=options.progress)
    coordinator = Coordinator(course, assignment, options, progress)
    try:
        report = coordinator.run(folders)
    except KeyboardInterrupt:
        hint = " without --force" if coordinator.forgotten else ""
        raise Stopped(AGAIN.format(hint)) from None
    finally:
        progress.close()
    report = replace(report, left_out=left_out)
    return replace(report, path=coordinator.keep(report.as_text()))


def _chosen(only: tuple[str, ...], folders: Mapping[str, str]) -> dict[str, str]:
    """Return the submissions that were asked for."""
    unknown = sorted(set(only) - set(folders))
    if unknown:
        hint = "; repeat --only for each" if "," in "".join(unknown) else ""
        raise CommandError(f"no submission of {', '.join(unknown)}{hint}")
    return {student: folders[student] for student in only}


class Coordinator:
    """One run over one assignment."""

    def __init__(
        self, course: Course, assignment: str, options: GradeOptions, progress: Progress
    ) -> None:
        self.course = course
        self.assignment = assignment
        self.options = options
        self.progress = progress
        self.forgotten = False  # with --force: what was graded before is forgotten
        self.rows: dict[str, Row] = {}
        self.remarks: dict[str, None] = {}
        self.graded = 0

    def run(self, folders: Mapping[str, str]) -> Report:
        """Grade what students handed in: {student: folder}."""
        with one_at_a_time(self.course.folder), contextlib.ExitStack() as stack:
            start = time.perf_counter()
            gradebook = stack.enter_context(open_gradebook(self.course))
            settings = (self.course, gradebook, self.assignment)
            self.task = self._task(registration.answer_keys(*settings))
            self.workers = stack.enter_context(self._workers(len(folders)))
            settings = (self.assignment, self.task, self.options.feedback)
            self.writer = Writer(self.course, gradebook, *settings)
            stack.callback(self.writer.close)
            self._forget(folders)
            self._grade_all(folders)
            totals = self._take_totals(folders)
            return self._report(folders, totals, time.perf_counter() - start)

    def _task(self, keys: dict[str, AnswerKey]) -> Task:
        """The instructor's version, the limits, and the files that lie beside it."""
        for key in keys.values():
            require_python(key)
        options, course = self.options, self.course
        seconds = options.timeout or course.timeout() or Limits.cell_seconds
        beside = files.collect(course.source(self.assignment), [])
        return Task(keys, Limits(cell_seconds=seconds), beside)

    def _workers(self, count: int) -> Workers:
        """Return where jobs run: this machine, or a cluster."""
        task, options = self.task, self.options
        warm = sorted({name for key in task.keys.values() for name in key.warm})
        solved = submission.solved_jobs(task) if count >= REHEARSED_FROM else None
        if options.scheduler:
            from course_tools.grading.run.cluster import DaskWorkers

            return DaskWorkers(
                options.scheduler, task.limits, options.unsafe, warm, solved
            )
        return LocalWorkers(options.workers, task.limits, options.unsafe, warm, solved)

    def _forget(self, folders: Mapping[str, str]) -> None:
        """Remove what a killed run left, and records of what is to be done again."""
        self.writer.remove_leftovers(folders)
        if self.options.force:
            self.writer.records.forget(folders)
            self.forgotten = True  # what is graded from now on counts

    def keep(self, text: str) -> str:
        """Keep the text of the report; return where it lies."""
        return self.writer.records.keep_report(text)

    # -- submissions ----------------------------------------------------------------
    def _grade_all(self, folders: Mapping[str, str]) -> None:
        """Keep every worker busy and only a few submissions in memory."""
        waiting = iter(folders.items())
        running: dict[Future[Result], tuple[Submission, str]] = {}
        room = 2 * self.workers.count + 2
        while True:
            while len(running) < room and (pair := next(waiting, None)):
                running.update(self._start(*pair))
            if not running:
                return
            done, _ = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in done:
                self._take(*running.pop(future), future)

    def _start(
        self, student: str, folder: str
    ) -> dict[Future[Result], tuple[Submission, str]]:
        """Read a submission and start its jobs, unless it is graded already."""
        handed_in = self._read(student, folder)
        row = self.writer.row(handed_in) if handed_in.digest else None
        if row is not None:
            self.rows[student] = row
            self.progress.skip(row)
            return {}
        if not handed_in.jobs:
            self._finish(handed_in)
        return {
            self.workers.submit(job): (handed_in, name)
            for name, job in handed_in.jobs.items()
        }

    def _read(self, student: str, folder: str) -> Submission:
        try:
            return submission.read(student, folder, self.task)
        except Exception as error:  # one bad folder must not stop the class
            why = getattr(error, "strerror", None) or type(error).__name__
            reason = f"cannot be read: {why}"
            return submission.unreadable(student, folder, self.task, reason)

    def _take(self, handed_in: Submission, name: str, future: Future[Result]) -> None:
        """A job is done; when it was the last of its submission, write it down."""
        try:
            result = future.result()
        except NoSandbox:
            raise
        except Exception as error:  # of the machine, not of the submission
            reason = f"could not be run: {type(error).__name__}: {error}"
            handed_in.fail(name, self.task, reason)
        else:
            handed_in.take(name, self.task, result)
            self.remarks.update(dict.fromkeys(result.remarks))
        if not handed_in.jobs:
            self._finish(handed_in)

    def _finish(self, handed_in: Submission) -> None:
        """Write a submission down; what is odd about it must not stop the class.

        Of what is given up nothing is written: the next run tries it again.
        """
        if handed_in.failed:
            row = handed_in.row(self.task, 0.0, GIVEN_UP[0])
        else:
            row = self._write_down(handed_in)
        self.rows[handed_in.student] = row
        self.progress.step(row)

    def _write_down(self, handed_in: Submission) -> Row:
        try:
            row = self.writer.write(handed_in)
        except Exception as error:
            if is_of_the_machine(error):
                raise
            reason = f"could not be stored: {type(error).__name__}"
            handed_in.incidents.append(reason)
            return handed_in.row(self.task, 0.0, GIVEN_UP[1])
        self.graded += 1
        return row

    # -- the end ----------------------------------------------------------------------
    def _take_totals(self, folders: Mapping[str, str]) -> dict[str, Total]:
        """Scores are those of the gradebook: marks by hand, penalties for lateness."""
        scribe = self.writer.scribe
        scribe.renew_penalties()
        totals = scribe.totals()
        for student in folders:
            row, total = self.rows[student], totals.get(student)
            if total is None or row.status in GIVEN_UP:
                continue
            late = f"late: {total.penalty:g} points taken off"
            incidents = (*row.incidents, late) if total.penalty else row.incidents
            self.rows[student] = replace(row, score=total.score, incidents=incidents)
        return totals

    def _report(
        self, folders: Mapping[str, str], totals: dict[str, Total], seconds: float
    ) -> Report:
        absent = () if self.options.only else sorted(set(totals) - set(folders))
        return Report(
            self.assignment,
            rows=tuple(self.rows[student] for student in folders),
            seconds=seconds,
            graded=self.graded,
            absent=tuple(absent),
            remarks=tuple(self.remarks),
            rules=tuple(
                rule for key in self.task.keys.values() for rule in key.rules.in_words
            ),
            to_mark=sum(totals[name].to_mark for name in folders if name in totals),
        )


def require_python(key: AnswerKey) -> None:
    """Refuse notebooks of another language."""
    language = (key.kernelspec or {}).get("language") or "python"
    if language.lower() != "python":
        raise CommandError(f"{key.name} is written in {language}, not in Python")


@contextlib.contextmanager
def one_at_a_time(folder: str) -> Iterator[None]:
    """Refuse to grade a course that is being graded."""
    os.makedirs(os.path.join(folder, FOLDER), exist_ok=True)
    path = os.path.join(folder, FOLDER, "lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            reason = "this course is being graded by another process"
            raise CommandError(reason) from error
        yield
    finally:
        os.close(descriptor)
