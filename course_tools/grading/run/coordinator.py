"""Grade all submissions of an assignment: read, run in parallel, write down.

Only this process opens the gradebook. Every submission is finished by one
transaction and then by one small record (see `records`); whatever has no record that
fits, no autograded folder, or no place in the gradebook is graded again. So a run
may be stopped anywhere.
"""

import concurrent.futures
import contextlib
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Protocol

from course_tools.errors import CommandError, Stopped
from course_tools.grading.bridge import files
from course_tools.grading.course import locks, registration
from course_tools.grading.course.course import Course, require_hidden
from course_tools.grading.course.gradebook import Total, open_gradebook
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


class Listener(Protocol):
    """Is told of every submission, as its row in the report."""

    def skip(self, row: Row) -> None: ...

    def step(self, row: Row) -> None: ...


class Coordinator:
    """One run over one assignment."""

    def __init__(
        self, course: Course, assignment: str, options: GradeOptions, progress: Listener
    ) -> None:
        self.course = course
        self.assignment = assignment
        self.options = options
        self.progress = progress
        self.forgotten = False  # with --force: what was graded before is forgotten
        self.rows: dict[str, Row] = {}
        self.remarks: dict[str, None] = {}
        self.graded = 0
        self.running: dict[Future[Result], tuple[Submission, str]] = {}

    def run(self, folders: Mapping[str, str]) -> Report:
        """Grade what students handed in: {student: folder}."""
        start = time.perf_counter()
        with self.opened(rehearse=len(folders) >= REHEARSED_FROM):
            self.forget(folders)
            self._grade_all(folders)
            return self.report(folders, time.perf_counter() - start)

    @contextlib.contextmanager
    def opened(self, rehearse: bool) -> Iterator[None]:
        """Gradebook, workers and what makes pages are there meanwhile."""
        folder, name = self.course.folder, self.assignment
        with locks.alone_with_set(folder, name), contextlib.ExitStack() as stack:
            with locks.alone_with_course(folder):
                gradebook = stack.enter_context(open_gradebook(self.course))
                keys = registration.answer_keys(self.course, gradebook, name)
            self.task = self._task(keys)
            self.workers = stack.enter_context(self._workers(rehearse))
            settings = (name, self.task, self.options.feedback)
            self.writer = Writer(self.course, gradebook, *settings)
            stack.callback(self.writer.close)
            yield

    def _task(self, keys: dict[str, AnswerKey]) -> Task:
        """The instructor's version, the limits, and the files that lie beside it."""
        for key in keys.values():
            require_python(key)
        options, course = self.options, self.course
        seconds = options.timeout or course.timeout() or Limits.cell_seconds
        beside = files.collect(course.source(self.assignment), [])
        return Task(keys, Limits(cell_seconds=seconds), beside)

    def _workers(self, rehearse: bool) -> Workers:
        """Return where jobs run: this machine, or a cluster."""
        task, options = self.task, self.options
        warm = sorted({name for key in task.keys.values() for name in key.warm})
        solved = submission.solved_jobs(task) if rehearse else None
        if options.scheduler:
            from course_tools.grading.run.cluster import DaskWorkers

            return DaskWorkers(
                options.scheduler, task.limits, options.unsafe, warm, solved
            )
        return LocalWorkers(options.workers, task.limits, options.unsafe, warm, solved)

    def forget(self, folders: Mapping[str, str]) -> None:
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
        while True:
            while self.has_room() and (pair := next(waiting, None)):
                self.start(*pair)
            if not self.running:
                return
            self.take()

    def has_room(self) -> bool:
        return len(self.running) < 2 * self.workers.count + 2

    def take(self, seconds: float | None = None) -> None:
        """Wait until a job is done, or for so long; take over what is done."""
        done, _ = concurrent.futures.wait(
            self.running, seconds, concurrent.futures.FIRST_COMPLETED
        )
        for future in done:
            self._take(*self.running.pop(future), future)

    def start(self, student: str, folder: str) -> None:
        """Read a submission and start its jobs, unless it is graded already."""
        handed_in = self._read(student, folder)
        row = self.writer.row(handed_in) if handed_in.digest else None
        if row is not None:
            self.rows[student] = row
            self.progress.skip(row)
        elif not handed_in.jobs:
            self._finish(handed_in)
        else:
            for name, job in handed_in.jobs.items():
                self.running[self.workers.submit(job)] = (handed_in, name)

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
    def with_total(self, row: Row, total: Total | None) -> Row:
        """Scores are those of the gradebook: marks by hand, penalties for lateness."""
        if total is None or row.status in GIVEN_UP:
            return row
        late = f"late: {total.penalty:g} points taken off"
        incidents = (*row.incidents, late) if total.penalty else row.incidents
        return replace(row, score=total.score, incidents=incidents)

    def report(self, folders: Mapping[str, str], seconds: float) -> Report:
        """What is known of these submissions by now."""
        scribe = self.writer.scribe
        scribe.renew_penalties()
        totals = scribe.totals()
        absent = () if self.options.only else sorted(set(totals) - set(folders))
        rows = [self.with_total(self.rows[name], totals.get(name)) for name in folders]
        return Report(
            self.assignment,
            rows=tuple(rows),
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
