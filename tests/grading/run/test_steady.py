"""A busy machine changes times, never results; two engines leave each other alone."""

import contextlib
import json
import os
import shutil
import subprocess
import sys

import pytest
from made_course import grade, make_course, submit
from two_questions import ANSWER, problem

STUDENTS = 8
NEIGHBOURS = 8
SPIN = "while True: pass"
OWN_PROCESSES = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("steady") / "course"
    make_course(folder, "set1", {"problem": problem()})
    for number in range(STUDENTS):
        answers = {"square": ANSWER} if number % 2 else {"square": "def square(x): 0"}
        submit(folder, "set1", "problem", f"s{number}", answers)
    return folder


def graded(rows):
    """{student: (score, status)}; what a quiet machine says is known."""
    return {name: (row["score"], row["status"]) for name, row in rows.items()}


@pytest.fixture(scope="module")
def quiet(template, tmp_path_factory):
    place = shutil.copytree(template, tmp_path_factory.mktemp("quiet") / "course")
    found = graded(grade(place, "set1").rows)
    assert len(found) == STUDENTS
    assert {status for _, status in found.values()} == {"graded"}
    assert len({score for score, _ in found.values()}) == 2
    return found


@contextlib.contextmanager
def busy(count):
    """So many processes that do nothing but compute."""
    running = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(count)]
    try:
        yield
        assert all(process.poll() is None for process in running)
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_with_other_work_beside_it_nothing_is_left_ungraded(template, quiet, tmp_path):
    folder = shutil.copytree(template, tmp_path / "course")
    with busy(NEIGHBOURS):
        result = grade(folder, "set1")
    assert graded(result.rows) == quiet


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a space of processes")
def test_two_engines_that_do_not_see_each_others_processes(template, quiet, tmp_path):
    """They share the control groups of the machine, and not the numbers in them."""
    folders = [shutil.copytree(template, tmp_path / name) for name in ("one", "two")]
    words = ("-P", "-m", "course_tools", "grade", "set1", "--json", "--course")
    running = [
        subprocess.Popen(
            [*OWN_PROCESSES, sys.executable, *words, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    for process in running:
        text, errors = process.communicate(timeout=900)
        assert process.returncode == 0, errors
        rows = {row["student"]: row for row in json.loads(text)["submissions"]}
        assert graded(rows) == quiet
