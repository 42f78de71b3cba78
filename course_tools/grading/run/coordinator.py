"""Grade all submissions of an assignment: read, run in parallel, write down.

Only this process opens the gradebook. Every submission is finished by one
transaction and then by one small record (see `records`); whatever has no record that
fits, no autograded folder, or no place in the gradebook is graded again. So a run
may be stopped anywhere.
"""

import concurrent.futures
import contextlib
import fcntl
import itertools
import os
import time

from sqlalchemy.exc import InternalError, OperationalError

from course_tools.atomic import UNFINISHED, write_file
from course_tools.errors import CommandError
from course_tools.grading.bridge import files
from course_tools.grading.course.gradebook import Scribe, open_gradebook
from course_tools.grading.course.records import FOLDER, Records
from course_tools.grading.limits import REHEARSED_FROM, Limits
from course_tools.grading.pages.feedback import FeedbackWriter
from course_tools.grading.plan import answer_key, hidden
from course_tools.grading.run import submission
from course_tools.grading.run.report import GIVEN_UP
from course_tools.grading.run.workers import LocalWorkers
from course_tools.grading.run.zygote_client import NoSandbox


class Coordinator:
    """One run over one assignment."""

    def __init__(self, course, assignment, options):
        self.course = course
        self.assignment = assignment
        self.options = options
        seconds = options.timeout or course.timeout() or Limits.cell_seconds
        self.limits = Limits(cell_seconds=seconds)
        self.feedback = None
        self.rows = {}
        self.remarks = []
        self.absent, self.to_mark = [], 0
        self.graded = 0

    def run(self, found, progress):
        """Grade {student: folder}; return the rows of the report."""
        with one_at_a_time(self.course.folder), contextlib.ExitStack() as stack:
            start = time.perf_counter()
            gradebook = stack.enter_context(open_gradebook(self.course))
            self._read_truths(gradebook)
            workers = stack.enter_context(self._workers(len(found)))
            self._open_books(gradebook, found)
            if self.feedback is not None:
                stack.callback(self.feedback.close)
            self._grade_all(found, workers, progress)
            self._take_totals(found)
            self.seconds = time.perf_counter() - start
        return [self.rows[student] for student in found]

    def _read_truths(self, gradebook):
        """Read the instructor's version, and the files that lie beside it."""
        source = self.course.source(self.assignment)
        marks = hidden.marks_of(self.course.config)
        self.truths = answer_key.read(gradebook, self.assignment, source, marks)
        if not self.truths:
            raise CommandError(f"no notebooks of {self.assignment} in the gradebook")
        for true in self.truths.values():
            require_python(true)
        self.judge_files = files.collect(source, [])

    def _open_books(self, gradebook, found):
        """Get ready to write down, and forget what is to be done again."""
        self.scribe = Scribe(self.course, gradebook, self.assignment)
        self.known = set(self.scribe.totals())
        terms, seconds = self.scribe.terms(), self.limits.cell_seconds
        self.records = Records(self.course, self.assignment, terms, seconds)
        self._remove_leftovers(found)
        if self.options.force:
            self.records.forget(found)
            self.options.force = False  # done: what is graded from now on counts
        if not self.options.no_feedback:
            self.feedback = FeedbackWriter(self.course, gradebook, self.assignment)

    def _workers(self, count):
        """Return where jobs run: this machine, or a cluster."""
        warm = sorted({name for true in self.truths.values() for name in true.warm})
        settings = [self.limits, self.options.unsafe, warm]
        if count >= REHEARSED_FROM:
            told = (self.truths, self.limits, self.judge_files)
            settings.append(submission.rehearsals(*told))
        if self.options.scheduler:
            from course_tools.grading.run.cluster import DaskWorkers

            return DaskWorkers(self.options.scheduler, *settings)
        return LocalWorkers(self.options.workers, *settings)

    def _grade_all(self, found, workers, progress):
        """Keep every worker busy and only a few submissions in memory."""
        waiting, running = iter(found.items()), {}
        room = 2 * workers.count + 2
        while True:
            while len(running) < room:
                student, folder = next(waiting, (None, None))
                if student is None:
                    break
                made = self._read(student, folder)
                if made is None:
                    progress.skip(self.rows[student])
                    continue
                for future in self._start(made, workers):
                    running[future] = made
                if not made.jobs:
                    self._finish(made, progress)
            if not running:
                return
            done, _ = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in done:
                self._take(running.pop(future), future, progress)

    def _read(self, student, folder):
        """Return the submission, or None if it is graded already."""
        settings = (self.truths, self.limits, self.judge_files)
        try:
            made = submission.read(student, folder, *settings)
        except Exception as error:  # one bad folder must not stop the class
            why = getattr(error, "strerror", None) or type(error).__name__
            reason = f"cannot be read: {why}"
            return submission.unreadable(student, folder, self.truths, reason)
        autograded = self.course.path("autograded", student, self.assignment)
        if student in self.known and os.path.isdir(autograded):
            row = self.records.row(student, made.digest)
            if row is not None:
                self.rows[student] = row
                return None
        return made

    def _start(self, made, workers):
        futures = []
        for name, job in made.jobs.items():
            future = workers.submit(job)
            future.notebook = name
            futures.append(future)
        made.open_jobs = len(futures)
        return futures

    def _take(self, made, future, progress):
        """A job is done; when it was the last of its submission, write it down."""
        name = future.notebook
        try:
            result = future.result()
        except NoSandbox:
            raise
        except Exception as error:  # of the machine, not of the submission
            reason = f"could not be run: {type(error).__name__}: {error}"
            submission.failed(made, name, self.truths[name], reason)
        else:
            submission.finish(made, name, self.truths[name], result, self.limits)
            made.failed = made.failed or not result["complete"]
            fresh = [text for text in result["remarks"] if text not in self.remarks]
            self.remarks.extend(fresh)
        made.open_jobs -= 1
        if not made.open_jobs:
            self._finish(made, progress)

    def _finish(self, made, progress):
        """Write a submission down; what is odd about it must not stop the class."""
        if made.failed:
            self._give_up(made, GIVEN_UP[0], progress)
            return
        try:
            row = self._write_down(made)
        except Exception as error:
            if is_of_the_machine(error):
                self._name_place(error, made)
                raise
            made.incidents.append(f"could not be stored: {type(error).__name__}")
            self._give_up(made, GIVEN_UP[1], progress)
            return
        self.rows[made.student] = row
        self.graded += 1
        progress.step(row)

    def _name_place(self, error, made):
        """A full disk does not say where it is."""
        if isinstance(error, OSError) and error.filename is None:
            place = self.course.path("autograded", made.student, self.assignment)
            error.filename = place

    def _write_down(self, made):
        """Gradebook, notebook, page, and last of all the record."""
        results = {
            name: (made.notebooks.get(name), made.questions[name])
            for name in self.truths
        }
        score = self.scribe.save(made.student, results, made.timestamp)
        self._write(made)
        if self.feedback is not None:
            self._write_feedback(made)
        row = submission.row(made, self.truths, score)
        self.records.write(made.student, made.digest, row)
        return row

    def _why_unread(self, made):
        """Return {notebook: reason} for those that could not be read."""
        unread = [name for name in self.truths if name not in made.notebooks]
        questions = {name: made.questions[name] for name in unread}
        return {
            name: found[0]["public"] if found else "could not be read"
            for name, found in questions.items()
        }

    def _write_feedback(self, made):
        try:
            self.feedback.write(made.student, self._why_unread(made))
        except Exception as error:
            if is_of_the_machine(error):
                raise
            made.incidents.append(f"no page of feedback: {type(error).__name__}")

    def _give_up(self, made, status, progress):
        """Nothing is written down: the next run tries again."""
        row = submission.row(made, self.truths, 0.0)
        self.rows[made.student] = dict(row, status=status)
        progress.step(self.rows[made.student])

    def _take_totals(self, found):
        """Scores are those of the gradebook: marks by hand, penalties for lateness."""
        self.scribe.renew_penalties()
        totals = self.scribe.totals()
        for student in found:
            row, total = self.rows[student], totals.get(student)
            if total is None or row["status"] in GIVEN_UP:
                continue
            late = f"late: {total.penalty:g} points taken off"
            incidents = row["incidents"] + ([late] if total.penalty else [])
            self.rows[student] = dict(row, score=total.score, incidents=incidents)
        self.to_mark = sum(totals[name].to_mark for name in found if name in totals)
        if not self.options.only:
            self.absent = sorted(set(totals) - set(found))

    # -- files -------------------------------------------------------------------
    def _remove_leftovers(self, students):
        """A run that was killed while it wrote a file has left it half-written."""
        folders = [self.records.folder, *map(self.records.of, students)]
        for student, kind in itertools.product(students, ("autograded", "feedback")):
            folders.append(self.course.path(kind, student, self.assignment))
        for folder in folders:
            names = os.listdir(folder) if os.path.isdir(folder) else ()
            for name in names:
                if name.endswith(UNFINISHED):
                    os.unlink(os.path.join(folder, name))

    def _write(self, made):
        """Write the autograded notebooks."""
        folder = self.course.path("autograded", made.student, self.assignment)
        os.makedirs(folder, exist_ok=True)
        for name, notebook in made.notebooks.items():
            text = submission.to_json(notebook)
            write_file(os.path.join(folder, name + ".ipynb"), text, 0o444)
        if made.timestamp is not None:
            text = f"{made.timestamp.isoformat(' ')} UTC\n"
            write_file(os.path.join(folder, "timestamp.txt"), text, 0o444)


def require_python(true):
    """Refuse notebooks of another language."""
    language = (true.kernelspec or {}).get("language") or "python"
    if language.lower() != "python":
        raise CommandError(f"{true.name} is written in {language}, not in Python")


def is_of_the_machine(error):
    """Whether this would happen to the next submission, too."""
    lost = getattr(error, "connection_invalidated", False)
    return lost or isinstance(error, OSError | OperationalError | InternalError)


@contextlib.contextmanager
def one_at_a_time(folder):
    """Refuse to grade a course that is being graded."""
    os.makedirs(os.path.join(folder, FOLDER), exist_ok=True)
    path = os.path.join(folder, FOLDER, "lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CommandError(
                "this course is being graded by another process"
            ) from error
        yield
    finally:
        os.close(descriptor)
