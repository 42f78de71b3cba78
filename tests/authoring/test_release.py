"""Problem sets: the stored release is what nbgrader makes, and gives nothing away;
`release` does what it says, also when something is wrong."""

import itertools
import re
from pathlib import Path

import nbformat
import pytest
from nbgrader.nbgraderformat.v3 import MetadataValidatorV3
from tiny_set import answer, files_in, make_course, meta

from course_tools.authoring import release

ROOT = Path(__file__).resolve().parents[2]
SETS = release.sets_in(ROOT / "solutions")
EACH_SET = pytest.mark.parametrize("name", SETS)


def source(name):
    path = ROOT / "solutions" / name / f"{name}.ipynb"
    return nbformat.read(path, as_version=4)


def released(name):
    path = ROOT / "assignments" / name / f"{name}.ipynb"
    return nbformat.read(path, as_version=4)


# ---- the stored sets ----


def test_there_are_sets():
    assert "ps1_rnn" in SETS


@EACH_SET
def test_the_release_is_what_nbgrader_makes_of_the_source(name, tmp_path):
    made = release.build(name, ROOT, tmp_path)
    assert files_in(made) == files_in(ROOT / "assignments" / name)


REGION = re.compile(r"### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END", re.DOTALL)


@EACH_SET
def test_the_release_holds_no_solution_and_no_hidden_test(name):
    secret = set()
    for cell in source(name).cells:
        regions = REGION.findall(cell.source)
        if meta(cell).get("solution") and cell.cell_type == "markdown":
            regions.append(cell.source)
        secret |= {line.strip() for region in regions for line in region.splitlines()}
    secret = {line for line in secret if len(line) >= 16}  # shorter ones are no secret
    assert len(secret) > 50
    text = "\n".join(cell.source for cell in released(name).cells)
    public = {line.strip() for line in text.splitlines()}
    assert not secret & public
    assert not [line for line in secret if line in text]
    for word in ("BEGIN SOLUTION", "HIDDEN TESTS", "Marking guide"):
        assert word not in text


@EACH_SET
def test_a_set_is_worth_100_points_and_its_table_says_how(name):
    graded = [meta(c) for c in source(name).cells if meta(c).get("grade")]
    assert sum(m["points"] for m in graded) == 100
    by_hand = [m for m in graded if m["solution"]]
    assert len(graded) - len(by_hand) >= 8
    assert len(by_hand) >= 1
    table = source(name).cells[0].source
    in_table = {k: int(v) for k, v in re.findall(r"`(\w+)` \((\d+)\)", table)}
    assert in_table == {m["grade_id"]: m["points"] for m in graded}


@EACH_SET
def test_every_question_has_points_minutes_and_a_hint(name):
    """The text above a question repeats its points and gives a time and a hint."""
    text = ""
    for cell in released(name).cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            text = cell.source
        if meta(cell).get("grade"):
            question, points = meta(cell)["grade_id"], meta(cell)["points"]
            assert f"`{question}`: {points} points" in text
            assert re.search(r"about \d+ minutes", text)
            assert "<details><summary>Hint</summary>\n\n" in text


@EACH_SET
def test_the_minutes_of_the_table_are_those_of_the_questions(name):
    cells = [c.source for c in source(name).cells if c.cell_type == "markdown"]
    table = [int(n) for n in re.findall(r"\| (\d+) \|$", cells[0], re.MULTILINE)]
    texts = [re.findall(r"about (\d+) minutes", text) for text in cells[1:]]
    assert table == [int(n) for n in itertools.chain.from_iterable(texts)]
    assert 180 <= sum(table) <= 300


@EACH_SET
def test_every_autograded_question_has_visible_and_hidden_tests(name):
    for cell in source(name).cells:
        if meta(cell).get("grade") and cell.cell_type == "code":
            assert cell.source.count("### BEGIN HIDDEN TESTS") == 1
            visible = re.sub(REGION, "", cell.source)
            assert "check_" in visible or "wrong_parts(" in visible
            assert meta(cell)["locked"]


@EACH_SET
def test_every_stub_raises(name):
    stubs = [c for c in released(name).cells if meta(c).get("solution")]
    assert len(stubs) >= 9
    for cell in stubs:
        if cell.cell_type == "code":
            assert cell.source.count("raise NotImplementedError") == 1
        else:
            assert cell.source == "YOUR ANSWER HERE"


@EACH_SET
def test_the_source_is_clean(name):
    book = source(name)
    MetadataValidatorV3().validate_nb(book)
    assert all(meta(c).get("schema_version", 3) == 3 for c in book.cells)
    assert len({c.id for c in book.cells}) == len(book.cells)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)


# ---- release ----


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)


def test_release_makes_the_same_bytes_again_and_leaves_nothing_behind(course, capsys):
    before = files_in(course)
    assert release.release([], course) == 0
    first = files_in(course)
    assert set(first) - set(before) == {
        "assignments/mini_maths/mini_maths.ipynb",
        "assignments/mini_maths/data.txt",
    }
    assert release.release(["mini", "mini_maths"], course) == 0
    assert files_in(course) == first
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2, "one line per set"
    assert lines[0].startswith("mini_maths: solutions/mini_maths -> assignments/")


@pytest.mark.parametrize("word", ["mini_math", "MINI", "solutions/minimaths"])
def test_release_of_an_unknown_set_suggests_one(course, capsys, word):
    assert release.release([word], course) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"no problem set '{word}'" in error
    assert "did you mean mini_maths?" in error
    assert not (course / "assignments").exists()


def test_release_without_any_set_or_settings(course, tmp_path, capsys):
    assert release.release([], tmp_path / "nowhere") == 2
    assert "no problem sets in solutions/" in capsys.readouterr().err
    (course / "nbgrader_config.py").unlink()
    assert release.release([], course) == 1
    assert "nbgrader_config.py is missing" in capsys.readouterr().err


def test_release_does_not_overwrite_answers(course, capsys):
    release.release([], course)
    answer(course, answer_double="def double(x):\n    return 2 * x")
    before = files_in(course)
    assert release.release([], course) == 1
    assert "holds answers (answer_double" in capsys.readouterr().err
    assert files_in(course) == before


def test_a_source_with_a_fault_leaves_the_old_release(course, capsys):
    release.release([], course)
    before = files_in(course / "assignments")
    path = course / "solutions" / "mini_maths" / "mini_maths.ipynb"
    path.write_text(path.read_text().replace("### END SOLUTION", "# the end"))
    assert release.release([], course) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "no end solution statement found" in error
    assert files_in(course / "assignments") == before
