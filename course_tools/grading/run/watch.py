"""`./course grade SET --watch`: the warm processes stay, and what arrives is graded.

Everything is written down as by any other run, so it may be ended at any moment; the
next start, with or without --watch, goes on from there.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from course_tools.errors import CommandError, Stopped, in_one_line
from course_tools.grading.course import registration
from course_tools.grading.course.course import Course, require_hidden
from course_tools.grading.limits import (
    RETRIES,
    RETRY_SECONDS,
    WATCH_PAUSE_SECONDS,
    WATCH_SHARE,
)
from course_tools.grading.messages import Row
from course_tools.grading.options import GradeOptions
from course_tools.grading.run import report, submission
from course_tools.grading.run.arrivals import Arrivals, is_whole, signature
from course_tools.grading.run.coordinator import AGAIN, Coordinator
from course_tools.grading.run.writer import is_of_the_machine
from course_tools.grading.text import printable, writable
from course_tools.grading.validate import encode

LINE_CHARACTERS = 150  # of one event

Say = Callable[[str], None]


def watch(
    folder: str, word: str, options: GradeOptions, say: Say, as_json: bool = False
) -> NoReturn:
    """Grade what is there, then what arrives, until it is interrupted."""
    course = Course(folder, options.db)
    if options.scheduler:
        raise CommandError("--watch works on this machine, without --scheduler", code=2)
    if not options.unsafe:
        require_hidden(course.folder, *filter(None, [options.submissions]))
    if options.submissions and not os.path.isdir(options.submissions):
        raise CommandError(f"no folder of submissions: {options.submissions}")
    assignment = course.full_name(word)
    registration.require_known(course, assignment)
    try:
        while True:
            Watch(course, assignment, options, say, as_json).until_source_changes()
            options = replace(options, force=False)
            _say_at(say, f"{assignment} has changed: all are graded again")
    except KeyboardInterrupt:
        raise Stopped(AGAIN.format("")) from None


class Watch:
    """One set with one version of its tests."""

    def __init__(
        self,
        course: Course,
        assignment: str,
        options: GradeOptions,
        say: Say,
        as_json: bool,
    ) -> None:
        self.course, self.assignment, self.options = course, assignment, options
        self.say, self.as_json = say, as_json
        self.coordinator = Coordinator(course, assignment, options, self)
        self.arrivals = Arrivals()
        self.waiting: dict[str, str] = {}  # whole, and not begun
        self.begun: dict[str, str] = {}  # of which nothing was said yet
        self.folders: dict[str, str] = {}  # of all that were graded
        self.failures: dict[str, int] = {}  # of the machine, in a row
        self.untold = True  # is the kept report older than the last event?

    def until_source_changes(self) -> None:
        """Grade what arrives; returns when the instructor has changed the set."""
        source = self.course.source(self.assignment)
        written = signature(source)
        with self.coordinator.opened(rehearse=True):
            self.coordinator.forget(self._find())
            self._warm_up()
            while signature(source) == written or not is_whole(source):
                self._turn()
            while self.begun:
                self._take(WATCH_PAUSE_SECONDS)

    def _warm_up(self) -> None:
        """The instructor's own notebook first: then all that is slow has been done."""
        task, workers = self.coordinator.task, self.coordinator.workers
        jobs = submission.solved_jobs(task).items()
        done = [workers.submit(replace(job, notebook=name)) for name, job in jobs]
        for future in done:
            future.result()
        self.coordinator.writer.warm_up()
        if not self.as_json:
            place = self.options.submissions or self.course.handed_in(self.assignment)
            _say_at(self.say, f"watching {place} for {self.assignment}; Ctrl-C ends it")

    # -- one turn ---------------------------------------------------------------------
    def _turn(self) -> None:
        """Look once, then take over what is done until it is time to look again."""
        began = time.monotonic()
        arrived = self.arrivals.look(self._find(), self.begun)
        self.waiting.update(arrived)
        until = time.monotonic()
        until += max(WATCH_PAUSE_SECONDS, (until - began) / WATCH_SHARE)
        while True:
            self._begin()
            left = until - time.monotonic()
            if left <= 0:
                break
            self._take(left)
        if not self.begun and not self.waiting and self.untold:
            self._keep_report()

    def _find(self) -> dict[str, str]:
        """Return {student: folder}; nothing handed in yet is no mistake here."""
        try:
            where = self.options.submissions
            folders, _ = self.course.submissions(self.assignment, where)
        except (CommandError, OSError):
            return {}
        only = self.options.only
        return {name: folders[name] for name in folders if not only or name in only}

    def _begin(self) -> None:
        while self.waiting and self.coordinator.has_room():
            student = next(iter(self.waiting))
            folder = self.begun[student] = self.waiting.pop(student)
            self._patiently(lambda s=student, f=folder: self.coordinator.start(s, f))

    def _take(self, seconds: float) -> None:
        if self.coordinator.running:
            self._patiently(lambda: self.coordinator.take(seconds))
        else:
            time.sleep(seconds)

    def _patiently(self, step: Callable[[], None]) -> None:
        """A full disk or a locked gradebook need not last: do again what it met."""
        try:
            step()
        except Exception as error:
            if not is_of_the_machine(error) or self._too_often(""):
                raise
            again = f"again in {RETRY_SECONDS:g} s"
            _say_at(self.say, f"{in_one_line(error)}; {again}", self.as_json)
            for student in set(self.begun) - self._in_work():
                self.arrivals.again(student, RETRY_SECONDS)
                del self.begun[student]

    def _in_work(self) -> set[str]:
        return {handed_in.student for handed_in, _ in self.coordinator.running.values()}

    def _too_often(self, name: str) -> bool:
        self.failures[name] = self.failures.get(name, 0) + 1
        return self.failures[name] > RETRIES

    # -- what the coordinator tells ---------------------------------------------------
    def skip(self, row: Row) -> None:
        """It was graded before, as it is now."""
        self._done(row)

    def step(self, row: Row) -> None:
        student = self._done(row)
        if row.status == report.GIVEN_UP[0]:
            if not self._too_often(student):
                self.arrivals.again(student, RETRY_SECONDS)
        else:
            self.failures.clear()
        total = self.coordinator.writer.scribe.totals().get(student)
        row = self.coordinator.with_total(row, total)
        if self.as_json:
            self.say(json.dumps(encode(row)))
        else:
            _say_at(self.say, event(row))

    def _done(self, row: Row) -> str:
        """Return the student's folder name, of which the row has a printable form."""
        student = next(name for name in self.begun if writable(name) == row.student)
        self.folders[student] = self.begun.pop(student)
        self.untold = True
        return student

    def _keep_report(self) -> None:
        self.untold = False
        found = self.coordinator.report(self.folders, 0.0)
        self.coordinator.keep(found.as_text())
        self.coordinator.writer.rest()


def event(row: Row) -> str:
    """Return one line about a submission that has just been graded."""
    parts = [f"{row.score:g} of {row.max_score:g}", report.remarks(row)]
    text = f"{row.student}: {'; '.join(filter(None, parts))}"
    return report.shorten(printable(text), LINE_CHARACTERS)


def _say_at(say: Say, text: str, as_json: bool = False) -> None:
    if as_json:
        say(json.dumps({"note": text}))
    else:
        say(f"{time.strftime('%H:%M:%S')} {text}")
