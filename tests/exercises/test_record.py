"""Passes are recorded where that is configured, and nothing is lost."""

import os
import subprocess
import sys

import pytest

from course_lib import progress as progress_file
from course_lib.exercises import record
from course_lib.exercises.exercise import Exercise, Exercises

MADE = Exercise(1, "**", lambda n: 2 * n, lambda rng: (int(rng.integers(3, 90)),))


@pytest.fixture
def progress(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "progress.jsonl"
    monkeypatch.setenv(progress_file.FILE, str(path))
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    return path


def test_a_pass_is_recorded_once_and_a_failure_is_not(progress, capsys):
    made = Exercises("made", MADE)
    made.check(1, lambda n: 3 * n)
    assert not progress.exists()
    made.check(1, MADE.solution)
    assert "Exercise 1 ★★: right, on 5 random instances" in capsys.readouterr().out
    before = progress.read_bytes()
    assert list(record.recorded(progress)) == [("made", 1)]
    made.check(1, MADE.solution)
    assert progress.read_bytes() == before


def test_tests_record_nothing():
    """Whoever runs them keeps the own file as it is."""
    assert progress_file.FILE not in os.environ


def test_nothing_is_recorded_unless_configured(progress, monkeypatch):
    monkeypatch.setenv("COURSE_QUIET", "1")
    record.passed("made", 1)
    monkeypatch.delenv("COURSE_QUIET")
    monkeypatch.delenv(progress_file.FILE)
    record.passed("made", 1)
    assert not progress.exists()


def test_broken_lines_lose_nothing_else(progress):
    record.passed("made", 1)
    with progress.open("ab") as file:
        file.write(b'{"lecture": "ma\xff')  # a crash in the middle of a line
    record.passed("made", 2)
    with progress.open("ab") as file:
        file.write(b'[]\n{"lecture": "x"}\n7\n')
    record.passed("made", 3)
    assert set(record.recorded(progress)) == {("made", n) for n in (1, 2, 3)}


def test_a_file_that_cannot_be_written_does_not_disturb(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    monkeypatch.setenv(progress_file.FILE, str(tmp_path / "file" / "progress.jsonl"))
    record.passed("made", 1)


WRITER = """\
import sys
from course_lib import progress as progress_file
from course_lib.exercises import record
for number in range(1, 60):
    record.passed(sys.argv[1], number)
"""


def test_two_notebooks_at_a_time_lose_nothing(progress, tmp_path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, lecture]) for lecture in "abc"
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    expected = {(lecture, n) for lecture in "abc" for n in range(1, 60)}
    assert set(record.recorded(progress)) == expected
