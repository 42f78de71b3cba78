"""`./course grade`, `feedback` and `export` at the command line, on the real thing."""

import csv
import io
import json
import os
import subprocess
import sys

import nbformat
import pytest
from bench import (
    ANSWERS,
    make_course,
    questions,
    read_answer,
    solution_cells,
    source,
    submission,
    submit,
)
from nbgrader.api import Gradebook

from course_tools.cli import command_line

SET = "ps1_rnn"
WRONG = ANSWERS / SET / "wrong" / "bptt_pairs_same_state.py"


def course(*words, **settings):
    return subprocess.run(
        [sys.executable, "-P", "-m", "course_tools", *words],
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A course folder, and the notebooks of three students collected elsewhere."""
    made = tmp_path_factory.mktemp("course")
    release = nbformat.read(make_course(made, SET), as_version=4)
    solved = solution_cells(source(SET))
    submit(made, SET, "ada", submission(release, solved))
    submit(made, SET, "bob", release)
    submit(made, SET, "cyd", submission(release, solved | read_answer(WRONG).cells))
    os.rename(made / "submitted", made / "collected")
    return made


@pytest.fixture(scope="module")
def graded(folder):
    """What the first run printed, with the short name of the set."""
    done = course(
        "grade", "ps1", "--submissions", "collected", "--course", ".", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_table_and_summary_are_printed(graded):
    full = sum(questions(source(SET)).values())
    rows = {line.split()[0]: line.split() for line in graded.splitlines() if line}
    assert float(rows["ada"][1]) == full
    assert float(rows["bob"][1]) == 0.0
    assert " ".join(rows["cyd"][4:]) == "partly: bptt"
    last = ["3 graded, 0 already graded", f"this report: .grading/{SET}/report.txt"]
    assert graded.splitlines()[-2:] == last


@pytest.mark.slow
def test_the_same_again_as_json_grades_nothing_twice(folder, graded):
    words = ("--submissions", "collected", "--course", ".", "--json")
    done = course("grade", SET, *words, cwd=folder)
    report = json.loads(done.stdout)
    assert done.stderr == ""
    assert report["assignment"] == SET
    found = {row["student"]: row for row in report["submissions"]}
    assert sorted(found) == ["ada", "bob", "cyd"]
    keys = {"student", "score", "max_score", "status", "seconds", "questions"}
    assert keys | {"incidents"} <= set(found["cyd"])
    (lost,) = (q for q in found["cyd"]["questions"] if q["status"] != "passed")
    assert (lost["id"], lost["status"]) == ("bptt", "partial")
    assert read_answer(WRONG).message in lost["message"]
    assert set(lost) == {"id", "score", "max_score", "status", "message"}


@pytest.mark.slow
def test_feedback_and_export(folder, graded):
    done = course("feedback", SET, "--course", str(folder))
    assert done.stdout == "3 pages of feedback for 3 students\n", done.stderr
    page = folder / "feedback" / "cyd" / SET / f"{SET}.html"
    assert "HIDDEN TESTS" not in page.read_text("utf-8")
    done = course("export", "--course", str(folder), "--format", "moodle")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        scores = {s.student_id: s.score for s in gradebook.assignment_submissions(SET)}
    assert {row["username"]: float(row[SET]) for row in rows} == scores


@pytest.mark.slow
def test_who_reads_the_table_may_stop(folder, graded):
    """As in `./course export | head -1`."""
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-P", "-m", "course_tools", "export", "--course", folder]
    done = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["grade"], "required: SET"),
        (["grade", "ps1", "--workers", "0"], "'0' is not a positive number"),
        (["grade", "ps1", "--timeout", "soon"], "'soon' is not a number of seconds"),
        (["grade", "ps1", "--scheduler", "slurm"], "'slurm' is no address of a Dask"),
        (["grade", "ps1", "--sandbox"], "does not know: --sandbox"),
        (["export", "--format", "excel"], "invalid choice: 'excel'"),
        (["feedback"], "required: SET"),
    ],
)
def test_wrong_words_give_one_line(words, part):
    done = course(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert part in line
    assert line.startswith("course: ")
    assert line.endswith(f"(see: ./course {words[0]} --help)")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["grade", "ps0"], "there is no problem set 'ps0'; did you mean ps"),
        (["grade", "ps1", "--submissions", "nowhere"], "no folder of submissions"),
        (["feedback", "ps1", "--course", "nowhere"], "no such course folder: nowhere"),
    ],
)
def test_what_is_not_there_gives_one_line(words, part, tmp_path):
    done = course(*words, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("course: ")
    assert part in line


def test_grading_is_for_this_course_unless_told():
    arguments = command_line.parse(["grade", "ps1"])
    assert command_line.commands.in_this_course(arguments).course == str(
        command_line.commands.ROOT
    )
    arguments = command_line.parse(["grade", "ps1", "--course", "elsewhere"])
    assert command_line.commands.in_this_course(arguments).course == "elsewhere"


def test_the_scheduler_may_be_called_local():
    assert (
        command_line.parse(["grade", "ps1", "--scheduler", "local"]).scheduler is None
    )
    address = "tcp://10.0.0.5:8786"
    assert (
        command_line.parse(["grade", "ps1", "--scheduler", address]).scheduler
        == address
    )
