"""`./course grade SET --watch`: what arrives is graded, whatever happens to it."""

import json
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from made_course import course, grade, make_course, released, submit
from nbgrader.api import Gradebook
from sqlalchemy.exc import OperationalError
from two_questions import ANSWER, problem

from course_tools.errors import Stopped
from course_tools.grading.course.course import Course
from course_tools.grading.options import GradeOptions
from course_tools.grading.run import coordinator, watch
from course_tools.grading.run.arrivals import Arrivals
from course_tools.grading.run.writer import Writer

RIGHT = {"square": ANSWER}
WRONG = {"square": "def square(x):\n    return 9"}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    place = tmp_path_factory.mktemp("watch") / "course"
    return make_course(place, "set1", {"problem": problem()})


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template, tmp_path / "course")


def scores(folder, assignment="set1"):
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = gradebook.assignment_submissions(assignment)
        return {item.student_id: item.score for item in found}


class Command:
    """A `--watch` in a process of its own, of which one reads line by line."""

    def __init__(self, folder, assignment="set1"):
        words = ("-P", "-m", "course_tools", "grade", assignment, "--watch")
        self.process = subprocess.Popen(
            [sys.executable, *words, "--course", str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def line(self):
        """The next line, without its time; it waits for it."""
        text = self.process.stdout.readline()
        assert text, self.process.stderr.read()
        assert re.match(r"\d\d:\d\d:\d\d ", text)
        return text[9:].rstrip("\n")

    def end(self, number):
        self.process.send_signal(number)
        out, errors = self.process.communicate(timeout=900)
        return self.process.returncode, out, errors


def test_submit_again_half_kill_and_start_again(folder):
    """One long story, since each start takes seconds."""
    watched = Command(folder)
    try:
        place = f"{folder}/submitted"
        assert watched.line() == f"watching {place} for set1; Ctrl-C ends it"
        submit(folder, "set1", "problem", "ada", WRONG)  # nothing was there before
        assert watched.line() == "ada: 2 of 5; lost: test_slow"
        assert (folder / "feedback/ada/set1/problem.html").exists()
        submit(folder, "set1", "problem", "ada", RIGHT)
        assert watched.line() == "ada: 5 of 5"
        text = json.dumps(released(folder, "set1", "problem"))
        half = Path(submit(folder, "set1", "problem", "bob", RIGHT)) / "problem.ipynb"
        whole = half.read_text()
        half.write_text(whole[: len(text) // 2])
        with half.open("a") as file:
            file.write(whole[len(text) // 2 :])
        assert watched.line() == "bob: 5 of 5"
        refused = grade(folder, "set1")
        assert refused.errors == "course: set1 is being graded by another process\n"
    finally:
        watched.end(signal.SIGKILL)
    submit(folder, "set1", "problem", "ada", WRONG)
    submit(folder, "set1", "problem", "eve", RIGHT)
    watched = Command(folder)
    watched.line()
    assert {watched.line(), watched.line()} == {
        "ada: 2 of 5; lost: test_slow",
        "eve: 5 of 5",
    }
    code, out, errors = watched.end(signal.SIGINT)
    assert (code, out) == (130, "")
    assert errors == "course: stopped; run the same command again to continue\n"
    assert scores(folder) == {"ada": 2.0, "bob": 5.0, "eve": 5.0}
    again = grade(folder, "set1")
    assert {name: row["score"] for name, row in again.rows.items()} == scores(folder)


def test_two_sets_side_by_side(folder):
    """A new gradebook, the same new students, two processes."""
    for kind in ("source", "release"):
        shutil.copytree(folder / kind / "set1", folder / kind / "set2")
    (folder / "gradebook.db").unlink()
    names = [f"s{number}" for number in range(7)]
    for name in names:
        submit(folder, "set1", "problem", name, RIGHT)
        submit(folder, "set2", "problem", name, WRONG)
    both = Command(folder, "set1"), Command(folder, "set2")
    try:
        for watched, said in zip(
            both, ("5 of 5", "2 of 5; lost: test_slow"), strict=True
        ):
            watched.line()
            lines = {watched.line() for _ in names}
            assert lines == {f"{name}: {said}" for name in names}
    finally:
        ends = [watched.end(signal.SIGINT) for watched in both]
    assert [code for code, *_ in ends] == [130, 130]
    assert scores(folder, "set1") == dict.fromkeys(names, 5.0)
    assert scores(folder, "set2") == dict.fromkeys(names, 2.0)


class Inside:
    """A watch in a thread of this process; `end` is a Ctrl-C."""

    def __init__(self, folder, monkeypatch, **options):
        self.lines, self.news = [], threading.Condition()
        self.over, look = False, Arrivals.look

        def looking(arrivals, *arguments):
            if self.over:
                raise KeyboardInterrupt
            return look(arrivals, *arguments)

        monkeypatch.setattr(Arrivals, "look", looking)
        monkeypatch.setattr(watch, "RETRY_SECONDS", 0.0)
        self.arguments = (str(folder), "set1", GradeOptions(**options), self._say)
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        try:
            watch.watch(*self.arguments)
        except BaseException as error:
            self.error = error
        with self.news:
            self.over = True
            self.news.notify_all()

    def _say(self, line):
        with self.news:
            self.lines.append(line[9:])
            self.news.notify_all()

    def wait(self, count):
        """Wait until so many lines were said."""
        with self.news:
            self.news.wait_for(lambda: self.over or len(self.lines) >= count)
        return self.lines[count - 1]

    def end(self):
        self.over = True
        self.thread.join()
        return self.error


@pytest.mark.usefixtures("warm")
def test_a_corrected_test_grades_all_again(folder, monkeypatch):
    submit(folder, "set1", "problem", "ada", WRONG)
    inside = Inside(folder, monkeypatch)
    assert inside.wait(2) == "ada: 2 of 5; lost: test_slow"
    path = folder / "source" / "set1" / "problem.ipynb"
    path.write_text(path.read_text().replace("square(4) == 16", "square(3) == 9"))
    assert inside.wait(3) == "set1 has changed: all are graded again"
    assert inside.wait(5) == "ada: 5 of 5; cell test_slow was edited"
    assert isinstance(inside.end(), Stopped)


@pytest.mark.usefixtures("warm")
def test_what_the_machine_spoils_is_done_again(folder, monkeypatch):
    """A gradebook that is locked for long, and a job that cannot be run."""
    submit(folder, "set1", "problem", "ada", RIGHT)
    write, take, faults = Writer.write, coordinator.Submission.take, iter(range(2))

    def failing(self, submission):
        if next(faults, None) is not None:
            raise OperationalError("insert", {}, Exception("database is locked"))
        return write(self, submission)

    def spoilt(self, name, task, result):
        take(self, name, task, result)
        self.failed = next(failures, None) is not None

    monkeypatch.setattr(Writer, "write", failing)
    inside = Inside(folder, monkeypatch)
    assert "database is locked" in inside.wait(2)
    assert "database is locked" in inside.wait(3)
    assert inside.wait(4) == "ada: 5 of 5"
    failures = iter(range(1))
    monkeypatch.setattr(coordinator.Submission, "take", spoilt)
    submit(folder, "set1", "problem", "bob", RIGHT)
    assert inside.wait(5).startswith("bob: 0 of 5; NOT GRADED")
    assert inside.wait(6) == "bob: 5 of 5"
    inside.end()
    assert scores(folder) == {"ada": 5.0, "bob": 5.0}


@pytest.mark.usefixtures("warm")
def test_a_gradebook_that_stays_locked_ends_it(folder, monkeypatch):
    submit(folder, "set1", "problem", "ada", RIGHT)

    def failing(self, submission):
        raise OperationalError("insert", {}, Exception("database is locked"))

    monkeypatch.setattr(Writer, "write", failing)
    inside = Inside(folder, monkeypatch)
    inside.thread.join()
    assert str(inside.error) == "the gradebook cannot be used: database is locked"


@pytest.mark.usefixtures("warm")
def test_late_and_unreadable_and_chosen(folder, monkeypatch):
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment("set1", duedate="2027-01-01 00:00:00 UTC")
    config = folder / "nbgrader_config.py"
    late = "c.LateSubmissionPlugin.penalty_method = 'zero'\n"
    config.write_text(config.read_text() + late)
    stamp = {"timestamp.txt": b"2027-01-02 00:00:00 UTC"}
    submit(folder, "set1", "problem", "ada", RIGHT, files=stamp)
    submit(folder, "set1", "problem", "bob", change=lambda *_: "no notebook at all")
    submit(folder, "set1", "problem", "eve", RIGHT)
    inside = Inside(folder, monkeypatch, only=("ada", "bob"))
    said = {inside.wait(2), inside.wait(3)}
    inside.end()
    assert "ada: 0 of 5; late: 5 points taken off" in said
    assert any(line.startswith("bob: 0 of 5; UNREADABLE; problem: ") for line in said)
    assert set(scores(folder)) == {"ada", "bob"}


def test_wrong_words_are_one_line(folder):
    for words, code, said in (
        (("--submissions", "nowhere"), 1, "no folder of submissions: nowhere"),
        (("--scheduler", "tcp://10.0.0.5:8786"), 2, "--watch works on this machine"),
    ):
        result = course("grade", "set1", "--watch", "--course", folder, *words)
        assert (result.code, result.text) == (code, "")
        assert result.errors.startswith(f"course: {said}")
        assert result.errors.count("\n") == 1


def test_handed_in_is_where_nbgrader_collects(folder):
    assert Course(folder).handed_in("set1") == f"{folder}/submitted"
