"""Graders are tested by answers whose marks are known: see bench.py for the format.

For every set: the solution gets full marks, the stub none, a wrong answer loses exactly
the questions it declares, and is told why, and a right answer loses nothing.
"""

import ast
import functools
import os

import pytest
from bench import (
    ANSWERS,
    PACK,
    ROOT,
    Graded,
    answer_files,
    checked,
    differences,
    disagreements,
    grade,
    grade_plainly,
    hidden_at_the_end,
    packed,
    questions,
    read_answer,
    solution_cells,
    source,
)

from course_tools.grading.check import Check, Line, run_plainly
from course_tools.grading.limits import Limits
from course_tools.grading.run.workers import LocalWorkers

SETS = sorted(path.parent.name for path in ROOT.glob("solutions/*/*.ipynb"))
FILES = [(name, path) for name in SETS for path in answer_files(name)]
EACH_FILE = pytest.mark.parametrize(
    ("name", "path"), FILES, ids=[f"{n}-{p.parent.name}-{p.stem}" for n, p in FILES]
)
EACH_SET = pytest.mark.parametrize("name", SETS)


# ---- the answers themselves ----


@EACH_SET
def test_every_set_has_answers_of_both_kinds(name):
    answers = [read_answer(path) for path in answer_files(name)]
    wrong = sum(answer.is_wrong for answer in answers)
    assert wrong >= 15
    assert len(answers) - wrong >= 8


def test_every_folder_of_answers_belongs_to_a_set():
    assert sorted(path.name for path in ANSWERS.iterdir() if path.is_dir()) == SETS


@EACH_SET
def test_every_question_has_a_wrong_answer(name):
    declared = {q for path in answer_files(name) for q in read_answer(path).fails}
    assert sorted(declared) == sorted(questions(source(name)))


@EACH_FILE
def test_an_answer_has_a_header_and_replaces_cells_that_exist(name, path):
    answer, cells = read_answer(path), solution_cells(source(name))
    assert set(answer.cells) <= set(cells)
    for cell, code in answer.cells.items():
        defined = {
            n.name for n in ast.parse(code).body if isinstance(n, ast.FunctionDef)
        }
        asked = {
            n.name
            for n in ast.parse(cells[cell]).body
            if isinstance(n, ast.FunctionDef)
        }
        assert asked <= defined, f"{path.name} must define {asked} for {cell}"


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("right", "# replaces: a\nx = 1\n", "a docstring"),
        ("right", '"""Thought."""\nx = 1\n', "# replaces: ID"),
        ("right", '"""Thought."""\n# replaces: a\n# fails: q\n', "belong in wrong/"),
        ("wrong", '"""Thought."""\n# replaces: a\n# message: m\n', "belong in wrong/"),
        ("wrong", '"""Thought."""\n# replaces: a\n# fails: q\n', "belong in wrong/"),
        (
            "wrong",
            '"""Thought."""\n# replaces: a\n# fails: q=1of2\n# message: m\n',
            "'q=1of2' is neither",
        ),
    ],
)
def test_a_header_that_makes_no_sense_is_an_error(tmp_path, kind, text, reason):
    path = tmp_path / kind / "answer.py"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ValueError, match=reason):
        read_answer(path)


def test_a_header_is_read_as_written(tmp_path):
    path = tmp_path / "wrong" / "idea.py"
    path.parent.mkdir()
    path.write_text(
        '"""Thought."""\n\n# replaces: a\n# fails: q=2.5/7, r\n# message: look here\n\n'
        "x = 1\n\n\n# replaces: b\ny = 2\n"
    )
    answer = read_answer(path)
    assert (answer.name, answer.thought, answer.is_wrong) == (
        "wrong-idea",
        "Thought.",
        True,
    )
    assert answer.cells == {"a": "x = 1", "b": "y = 2"}
    assert answer.fails == {"q": (2.5, 7.0), "r": (0.0, None)}
    assert answer.message == "look here"


# ---- the comparison: it must be able to find fault ----

FULL = {"step": 5.0, "bptt": 15.0}


def test_the_comparison_accepts_what_was_declared():
    assert differences(FULL, FULL, {}) == []
    assert differences({"step": 0.0, "bptt": 15.0}, FULL, {"step": (0.0, None)}) == []
    assert differences({"step": 5.0, "bptt": 9.0}, FULL, {"bptt": (9.0, 15.0)}) == []


@pytest.mark.parametrize(
    ("scores", "fails", "line"),
    [
        # a wrong answer that is declared right
        ({"step": 0.0, "bptt": 15.0}, {}, "step: 0.0 points given, 5 declared"),
        # a right answer that is declared wrong: the tests did not catch it
        (FULL, {"step": (0.0, None)}, "step: 5.0 points given, 0 declared"),
        # another question suffers
        (
            {"step": 0.0, "bptt": 0.0},
            {"step": (0.0, None)},
            "bptt: 0.0 points given, 15 declared",
        ),
        # other partial credit than declared, in points and in the whole
        (
            {"step": 5.0, "bptt": 9.0},
            {"bptt": (12.0, 15.0)},
            "bptt: 9.0 points given, 12 declared",
        ),
        (
            {"step": 5.0, "bptt": 12.0},
            {"bptt": (12.0, 16.0)},
            "bptt: declared out of 16, worth 15",
        ),
        # a question that was not graded, one that does not exist
        ({"step": 5.0}, {}, "bptt: None points given, 15 declared"),
        (FULL, {"stp": (0.0, None)}, "stp: the set has no such question"),
    ],
)
def test_the_comparison_reports(scores, fails, line):
    assert differences(scores, FULL, fails) == [line]


# ---- all of them, graded ----


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    """The folder in which a set of the given name is graded."""
    return lambda name: tmp_path_factory.getbasetemp() / f"bench-{name}"


@pytest.fixture(scope="module")
def graded_set(courses):
    """Grades a set once; the tests below look at single submissions."""
    done = {}

    def graded(name):
        if name not in done:
            answers = [read_answer(path) for path in answer_files(name)]
            courses(name).mkdir()
            done[name] = grade(courses(name), name, answers)
        return done[name]

    return graded


@pytest.mark.slow
@EACH_SET
def test_the_solution_gets_full_marks(graded_set, name):
    scores = graded_set(name)["solution"].scores
    assert differences(scores, questions(source(name)), {}) == []


@pytest.mark.slow
@EACH_SET
def test_the_stub_gets_nothing(graded_set, name):
    scores = graded_set(name)["stub"].scores
    assert scores == dict.fromkeys(scores, 0.0)
    assert set(scores) >= set(questions(source(name)))


@pytest.mark.slow
@EACH_FILE
def test_an_answer_gets_the_points_it_declares(graded_set, name, path):
    answer = read_answer(path)
    result = graded_set(name)[answer.name]
    assert differences(result.scores, questions(source(name)), answer.fails) == []
    if answer.is_wrong:
        told = "\n".join(result.outputs[question] for question in answer.fails)
        assert answer.message in told


@pytest.mark.slow
@EACH_SET
def test_a_wrong_answer_declared_right_would_be_reported(graded_set, name):
    full = questions(source(name))
    for path in answer_files(name):
        answer = read_answer(path)
        lines = differences(graded_set(name)[answer.name].scores, full, {})
        assert len(lines) == len(answer.fails), f"{answer.name}: {lines}"


@pytest.mark.slow
@EACH_SET
def test_plain_nbgrader_gives_the_same_points(graded_set, courses, name, tmp_path):
    ours = graded_set(name)
    plain = grade_plainly(courses(name), tmp_path, name)
    full = questions(source(name))
    assert differences(plain["all-right"].scores, full, {}) == []
    assert differences(plain["all-wrong"].scores, full, {}) != []
    for student, result in plain.items():
        assert result.scores == ours[student].scores, student


# ---- and checked, as a student would ----


# Every answer is checked, several at once in a submission; one by one as well, and
# without fork in all sets, when COURSE_CHECK_ALL is set.
EVERYTHING = "COURSE_CHECK_ALL" in os.environ
WITHOUT_FORK = pytest.mark.parametrize("name", SETS if EVERYTHING else SETS[:1])


@pytest.fixture(scope="module")
def in_turn():
    """A way to run jobs that keeps one warm process for all of them."""
    with LocalWorkers(1, Limits()) as workers:
        yield lambda job, limits: workers.submit(job).result()


@pytest.mark.slow
@EACH_SET
def test_check_says_what_grade_says_of_the_visible_part(
    graded_set, courses, in_turn, name
):
    results, full = graded_set(name), questions(source(name))
    ends, students = hidden_at_the_end(source(name)), sorted(results)
    if not EVERYTHING:
        students = ["stub", *(who for who in students if who.startswith(PACK))]
    assert len(ends) > len(full) / 2
    found = checked(courses(name), name, students, in_turn)
    wrong = {
        student: list(disagreements(found[student], results[student], full, ends))
        for student in students
    }
    assert not {student: lines for student, lines in wrong.items() if lines}


@EACH_SET
def test_every_answer_is_in_one_pack_as_it_is(name):
    answers = [read_answer(path) for path in answer_files(name)]
    code = [(c, text) for pack in packed(answers).values() for c, text in pack.items()]
    assert sorted(code) == sorted(pair for a in answers for pair in a.cells.items())


@pytest.mark.slow
@WITHOUT_FORK
def test_without_fork_and_sandbox_check_says_the_same(
    graded_set, courses, in_turn, name
):
    graded_set(name)
    forked = checked(courses(name), name, ["all-wrong"], in_turn)
    assert checked(courses(name), name, ["all-wrong"], run_plainly) == forked


def test_the_comparison_of_check_and_grade_can_find_fault():
    full, ends = {"a": 2.0, "b": 2.0, "c": 2.0}, {"b"}
    line = functools.partial(Line, points=2.0)
    said = Graded(
        {"a": 2.0, "b": 0.0, "c": 0.0},
        {"a": "", "b": "AssertionError: 3", "c": "AssertionError: off by 1"},
        {"a": "", "b": "a hidden check failed", "c": "AssertionError: off by 1"},
    )
    fine = [
        line("a", score=2.0, status="passed"),
        line("b", score=2.0, status="passed"),
        line("c", score=0.0, status="failed", message="AssertionError: off by 1"),
    ]
    assert list(disagreements(Check(tuple(fine)), said, full, ends)) == []
    odd = [
        line("a", score=0.0, status="failed", message="too slow"),
        line("b", score=0.0, status="failed", message="AssertionError: 3"),
        line("c", score=0.0, status="failed", message="TypeError: two"),
        line("c", score=2.0, status="passed"),
    ]
    lines = list(disagreements(Check(tuple(odd)), said, full, ends))
    assert [text[0] for text in lines] == ["a", "b", "c", "c"]


def test_a_hidden_part_in_the_middle_may_say_more():
    """Seeds that students do not have stand among theirs, or in their place."""
    failed = functools.partial(Line, "a", points=2.0, score=0.0, status="failed")

    def lines(text, told, ends):
        said = Graded({"a": 0.0}, {"a": told}, {"a": "too few"})
        found = Check((failed(message=text),))
        return list(disagreements(found, said, {"a": 2.0}, ends))

    for told in ("seed 1: 3\nseed 7: 4\ntoo few", "seed 7: 4\ntoo few"):
        assert lines("seed 1: 3\ntoo few", told, ends=set()) == []
        assert len(lines("seed 1: 3\ntoo many", told, ends=set())) == 1
        assert len(lines("seed 1: 3\ntoo few", told, ends={"a"})) == 1
