"""`check` tells a student, question by question, what the visible tests say."""

import re
from pathlib import Path

import nbformat
import pytest
from tiny_set import answer, files_in, make_course, meta, student_notebook

from course_tools.authoring import release

ROOT = Path(__file__).resolve().parents[2]
EACH_SET = pytest.mark.parametrize("name", release.sets_in(ROOT / "solutions"))

# one `check` with a warm process of its own, which takes seconds: test_check_plainly
pytestmark = pytest.mark.usefixtures("warm")


NOISY = """import sys


def halve(x):
    print("hm", file=sys.stderr)
    return x / 2
"""


def read(folder: str, name: str):
    return nbformat.read(ROOT / folder / name / f"{name}.ipynb", as_version=4)


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def test_check_tells_question_by_question(course, capsys):
    release.release([], course)
    answer(
        course,
        answer_double="def double(x):\n    return x + 2",
        answer_halve="def halve(x):\n    return x / 3",
        essay="My own words.",
    )
    before = files_in(course)
    assert release.check("mini", root=course) == 1
    out = capsys.readouterr().out
    assert re.search(r"double +0 / 5 +failed\n +AssertionError: two times three", out)
    assert re.search(r"square +0 / 3 +not attempted\n", out)
    assert re.search(r"halve +1\.33\d* / 2 +partly\n +the second half is off\n", out)
    assert re.search(r"essay +- / 4 +answered, marked by hand\n", out)
    assert "Visible tests: 1.33333 of 10 points; 4 more are marked by hand." in out
    assert "hidden tests: the same questions with other inputs" in out
    after = files_in(course)
    assert b'"passing": []' in after.pop(".progress.jsonl"), "the student's own record"
    assert after == before, "the check runs a copy"


def test_a_notebook_from_somebody_else_does_not_speak_to_the_terminal(course, capsys):
    release.release([], course)
    answer(course, answer_double='raise ValueError("a\\x1b]0;b\\x07\\tc\\nd\\x1b[2Je")')
    assert release.check("mini", root=course) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "a?]0;b?" in out
    assert "d?[2Je" in out


def test_check_of_a_solved_notebook(course, capsys):
    solution = course / "solutions" / "mini_maths" / "mini_maths.ipynb"
    assert release.check("mini_maths", notebook=solution, root=course) == 0
    assert "Visible tests: 10 of 10 points" in capsys.readouterr().out


def test_check_explains_answers_that_do_not_even_run(course, capsys):
    release.release([], course)
    answer(
        course,
        answer_double="def double(x)\n    return 2 * x",
        answer_square="def square(x):\n    return x.power(2)",
        answer_halve=NOISY,
    )
    assert release.check("mini", root=course) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "double 0 / 5 failed the answer cell itself fails: SyntaxError" in out
    assert "square 0 / 3 failed AttributeError: 'int' object has no" in out
    assert "halve 2 / 2 passed" in out, "a warning is not an error"


def test_check_sees_changed_and_missing_tests(course, capsys):
    release.release([], course)
    answer(course, double="pass", answer_double="def double(x):\n    return 0")
    path = student_notebook(course)
    book = nbformat.read(path, as_version=4)
    book.cells = [c for c in book.cells if meta(c).get("grade_id") != "square"]
    nbformat.write(book, path)
    assert release.check("mini", root=course) == 1
    out = capsys.readouterr().out
    assert re.search(r"double +0 / 5 +changed\n +the test cell was changed", out)
    assert re.search(r"square +0 / 3 +missing\n", out)


def test_check_survives_a_process_that_ends(course, capsys):
    release.release([], course)
    answer(
        course,
        answer_double="def double(x):\n    return 2 * x",
        answer_square="import os\n\nos._exit(1)",
    )
    assert release.check("mini", root=course) == 1
    out = capsys.readouterr().out
    assert re.search(r"double +5 / 5 +passed\n", out)
    assert re.search(r"square +0 / 3 +failed\n +the answer cell itself fails", out)
    assert "the process was stopped here" in " ".join(out.split())
    assert re.search(r"halve +0 / 2 +not attempted\n", out)


def test_check_stops_an_endless_loop_at_the_limit_of_the_course(course, capsys):
    with (course / "nbgrader_config.py").open("a") as file:
        file.write("\nc.Execute.timeout = 3\n")
    release.release([], course)
    answer(
        course,
        answer_double="def double(x):\n    while True:\n        pass",
        answer_square="def square(x):\n    return x * x",
    )
    assert release.check("mini", root=course) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert re.search("double 0 / 5 failed .*time", out)
    assert "square 3 / 3 passed" in out


EMPTY = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("mini", None, "there is no notebook"),
        ("mini", "{]", "is not a notebook: Notebook does not appear to be JSON"),
        ("mini", "[]", "is not a notebook: it has no cells"),
        ("mini", '{"cells": 3, "nbformat": 4}', "is not a notebook"),
        ("mini", EMPTY, "has no test cells; is it the notebook of mini_maths?"),
        ("minimath", None, "no problem set 'minimath'; did you mean mini_maths?"),
        ("zzz", None, "there is no problem set 'zzz'; there are: mini_maths"),
    ],
)
def test_check_answers_bad_input_in_one_line(course, capsys, name, content, line):
    path = student_notebook(course)
    path.parent.mkdir(parents=True)
    if content is not None:
        path.write_text(content)
    assert release.check(name, root=course) == 2
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert line in printed.err
    assert "Traceback" not in printed.err + printed.out


def test_check_of_a_folder_is_bad_input(course, capsys):
    assert release.check("mini", notebook=course, root=course) == 2
    assert "cannot be read" in capsys.readouterr().err


# ---- the real thing ----


@pytest.mark.slow
@EACH_SET
def test_the_release_as_it_is_has_nothing_attempted(name, capsys):
    path = ROOT / "assignments" / name / f"{name}.ipynb"
    assert release.check(name, notebook=path) == 1
    out = capsys.readouterr().out
    graded = [
        meta(c)["grade_id"]
        for c in read("solutions", name).cells
        if meta(c).get("grade")
    ]
    assert out.count("not attempted") == len(graded)


@pytest.mark.slow
@EACH_SET
def test_the_solved_release_passes_every_visible_test(name, tmp_path, capsys):
    solved = {meta(c).get("grade_id"): c.source for c in read("solutions", name).cells}
    book = read("assignments", name)
    for cell in book.cells:
        if meta(cell).get("solution"):
            cell.source = solved[meta(cell)["grade_id"]]
    nbformat.write(book, tmp_path / "mine.ipynb")
    assert release.check(name, notebook=tmp_path / "mine.ipynb") == 0
    out = capsys.readouterr().out
    assert "failed" not in out
    assert "not attempted" not in out
