"""Grade all submissions of an assignment: read, run in parallel, write down.

Only this process opens the gradebook. Every submission is finished by one
transaction and then by one small record; whatever has no record, another digest, no
autograded folder, or no place in the gradebook is graded again. So a run may be
stopped anywhere.
"""

import concurrent.futures
import contextlib
import fcntl
import itertools
import json
import os
import time

from nbgrader.api import InvalidEntry

from course_lib.grading import files, hidden, submission, truth
from course_lib.grading.atomic import UNFINISHED, write_file
from course_lib.grading.course import CourseError
from course_lib.grading.feedback import FeedbackWriter
from course_lib.grading.gradebook import Scribe, open_gradebook
from course_lib.grading.launch import NoSandbox
from course_lib.grading.limits import Limits
from course_lib.grading.workers import LocalWorkers

# beside the folders of nbgrader, which copies all of `autograded` to students: the
# records quote messages that only the instructor may see
RECORDS, RECORD = ".grading", "record.json"
# for fewer submissions it is not worth while to go through the solution first
REHEARSED_FROM = 8


class Coordinator:
    """One run over one assignment."""

    def __init__(self, course, assignment, options):
        self.course = course
        self.assignment = assignment
        self.options = options
        self.limits = Limits(cell_seconds=options.timeout)
        self.feedback = None
        self.rows = {}
        self.remarks = []
        self.graded = 0

    def run(self, found, progress):
        """Grade {student: folder}; return the rows of the report."""
        with one_at_a_time(self.course.folder), contextlib.ExitStack() as stack:
            start = time.perf_counter()
            self._remove_leftovers(found)
            gradebook = open_gradebook(self.course)
            stack.callback(gradebook.close)
            source = self.course.source(self.assignment)
            self.truths = truth.read(
                gradebook, self.assignment, source, hidden.marks_of(self.course.config)
            )
            if not self.truths:
                raise CourseError(
                    f"the gradebook has no notebooks of {self.assignment}"
                )
            self.judge_files = files.collect(source, [])
            workers = stack.enter_context(self._workers(len(found)))
            self.scribe = Scribe(self.course, gradebook, self.assignment)
            self.known = self.scribe.students()
            if not self.options.no_feedback:
                self.feedback = FeedbackWriter(self.course, gradebook, self.assignment)
            self._grade_all(found, workers, progress)
            self.seconds = time.perf_counter() - start
        return [self.rows[student] for student in found]

    def _workers(self, count):
        """Return where jobs run: this machine, or a cluster."""
        warm = sorted({name for true in self.truths.values() for name in true.warm})
        settings = [self.limits, self.options.unsafe, warm]
        if count >= REHEARSED_FROM:
            told = (self.truths, self.limits, self.judge_files)
            settings.append(submission.rehearsals(*told))
        if self.options.scheduler:
            from course_lib.grading.cluster import DaskWorkers

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
            reason = f"cannot be read: {type(error).__name__}"
            return submission.unreadable(student, folder, self.truths, reason)
        record = self._read_record(student)
        same = record is not None and record.get("digest") == made.digest
        if same and student in self.known and not self.options.force:
            self.rows[student] = record["row"]
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
            fresh = [text for text in result["remarks"] if text not in self.remarks]
            self.remarks.extend(fresh)
        made.open_jobs -= 1
        if not made.open_jobs:
            self._finish(made, progress)

    def _finish(self, made, progress):
        if made.failed:
            self._give_up(made, "not graded", progress)
            return
        results = {
            name: (made.notebooks.get(name), made.questions[name])
            for name in self.truths
        }
        try:
            totals = self.scribe.save(made.student, results, made.timestamp)
        except (UnicodeError, InvalidEntry, ValueError) as error:
            made.incidents.append(f"could not be stored: {type(error).__name__}")
            self._give_up(made, "not stored", progress)
            return
        row = submission.row(made, self.truths, totals["score"])
        self._write(made)
        if self.feedback is not None and made.notebooks:
            self.feedback.write(made.student)
        self._write_record(made, row)
        self.rows[made.student] = row
        self.graded += 1
        progress.step(row)

    def _give_up(self, made, status, progress):
        """Nothing is written down: the next run tries again."""
        row = submission.row(made, self.truths, 0.0)
        self.rows[made.student] = dict(row, status=status)
        progress.step(self.rows[made.student])

    # -- files -------------------------------------------------------------------
    def _remove_leftovers(self, students):
        """A run that was killed while it wrote a file has left it half-written."""
        folders = [self._record_folder(student) for student in students]
        for student, kind in itertools.product(students, ("autograded", "feedback")):
            folders.append(self.course.path(kind, student, self.assignment))
        for folder in folders:
            names = os.listdir(folder) if os.path.isdir(folder) else ()
            for name in names:
                if name.endswith(UNFINISHED):
                    os.unlink(os.path.join(folder, name))

    def _record_folder(self, student):
        return os.path.join(self.course.folder, RECORDS, self.assignment, student)

    def _read_record(self, student):
        if not os.path.isdir(self.course.path("autograded", student, self.assignment)):
            return None
        try:
            path = os.path.join(self._record_folder(student), RECORD)
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

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

    def _write_record(self, made, row):
        """Last of all, the record that this submission is done."""
        record = {"digest": made.digest, "row": row}
        folder = self._record_folder(made.student)
        os.makedirs(folder, exist_ok=True)
        write_file(os.path.join(folder, RECORD), json.dumps(record), 0o600)


@contextlib.contextmanager
def one_at_a_time(folder):
    """Refuse to grade a course that is being graded."""
    os.makedirs(os.path.join(folder, RECORDS), exist_ok=True)
    path = os.path.join(folder, RECORDS, "lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CourseError(
                "this course is being graded by another process"
            ) from error
        yield
    finally:
        os.close(descriptor)
