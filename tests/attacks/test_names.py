"""Names that students choose, of folders and of files: they stop nobody else.

Each of these stopped the whole class in an earlier version, or began a formula.
"""

import os

import pytest
from made_course import course, grade, make_course, released, submit
from platform_zips import answered, moodle_folder, pack
from square_problem import RIGHT, export, problem

SET = "squares"
OURS = ["report.txt", "similar.html", "report.txt.17.tmp", "n" * 251 + ".txt"]
FULL_WIDTH = "＝cmd|calc"
MANY_READINGS = "1" * 40 + "x"  # also as 1 and 1, 11 and 1, 1 and 11, …


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_course(tmp_path_factory.mktemp("names"), SET, {"nb": problem()})


@pytest.fixture(scope="module")
def runs(made):
    """The class is graded, and graded once more."""
    for name in ["ada", FULL_WIDTH, *OURS]:
        submit(made, SET, "nb", name, RIGHT)
    return grade(made, SET), grade(made, SET)


def test_who_is_called_like_a_file_of_ours_stops_nobody(made, runs):
    for run in runs:
        assert run.code == 0, run.errors
        assert {row["score"] for row in run.rows.values()} == {4.5}
        assert set(run.rows) == {"ada", FULL_WIDTH, *OURS}
    ours = os.path.join(made, ".grading", SET)
    assert os.path.isfile(os.path.join(ours, "report.txt"))
    done = course("similar", SET, "--course", made)
    assert done.code == 0, done.errors
    assert os.path.isfile(os.path.join(ours, "similar.html"))


def test_nobody_is_graded_twice(made, runs):
    with open(os.path.join(made, ".grading", SET, "report.txt")) as file:
        assert f"0 graded, {2 + len(OURS)} already graded" in file.read()


def test_no_sign_of_any_width_begins_a_formula(made, runs):
    rows, _ = export(made, "--format", "moodle")
    names = [row[0] for row in rows]
    assert f"'{FULL_WIDTH}" in names
    assert FULL_WIDTH not in names


def test_a_file_name_that_can_be_read_in_many_ways_is_read_in_one(made, tmp_path):
    book = answered(released(made, SET, "nb"), RIGHT["square"])
    file = pack(
        tmp_path / "moodle.zip",
        (f"{moodle_folder('Eve', 7)}/nb{MANY_READINGS}.ipynb", book),
        (f"{moodle_folder('Ada', 8)}/nb (2) - Copy-3.ipynb", book),
    )
    done = course("collect", file, SET, "--course", made)
    assert done.code == 0, done.errors
    assert done.text.startswith(f"{SET}: 2 collected")
