"""Rules of a set: what a breach may tell, and what it must not leave behind.

Each of these attacks worked against an earlier version of the engine.
"""

import pytest
from made_course import cell, grade, make_course, notebook, submit

SECRET = 731_954_862
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
SETUP = "import numpy as np\nDATA = np.arange(1.0, 5.0)"
RULES = {
    "arguments_unchanged": True,
    "modules": ["numpy"],
    "seeded": {"test_train": "train", "test_again": "train"},
}
HONEST = {
    "train": "def train(n, seed): return np.random.default_rng(seed).normal(size=n)",
    "twice": "def twice(x): return 2 * x",
    "total": "def total(x): return x.sum()",
}
UNSEEDED = "def train(n, seed): return np.random.default_rng().normal(size=n)\n"
# the engine's guard takes a note of what was used; the note is a message here
NOTE = """
import sys
def twice(x):
    frame = sys._getframe() if x > 3 else None
    while frame is not None:
        if "guard" in frame.f_globals:
            frame.f_globals["guard"].used = {note}
            return None
        frame = frame.f_back
    return 2 * x
"""
ATTACKS = {
    "note": dict(HONEST, twice=NOTE.format(note="f'x{x}'")),
    "dotted-note": dict(HONEST, twice=NOTE.format(note="f'torch.x{x}'")),
    "digits": dict(HONEST, twice=NOTE.format(note="'.'.join(f'd{c}' for c in f'{x}')")),
    "seed": dict(HONEST, train=UNSEEDED),
    "other-name": dict(HONEST, train=UNSEEDED + "train.__name__ = 'other'"),
    "an-object": dict(
        HONEST,
        train="class T:\n    def __call__(self, n, seed):\n"
        "        return np.random.default_rng().normal(size=n)\ntrain = T()",
    ),
    "data-changed": dict(
        HONEST, total="def total(x):\n    x[...] = 0\n    return 0.0\n"
    ),
    "data-changed-once": dict(
        HONEST,
        total="calls = []\ndef total(x):\n    calls.append(1)\n"
        "    if len(calls) == 1: x[...] = 0\n    return 0.0\n",
    ),
    "data-replaced": dict(
        HONEST,
        twice="class S:\n    def __getitem__(self, x):\n        x[...] = 0\n"
        "        return 6\ndef twice(x): return 2 * x\nS = S()",
        total="def total(x):\n    x *= 0\n    return x.sum()",
    ),
}
LOST = {
    **dict.fromkeys(["note", "dotted-note", "digits"], {"test_twice"}),
    **dict.fromkeys(["seed", "other-name", "an-object"], {"test_train", "test_again"}),
    **dict.fromkeys(
        ["data-changed", "data-changed-once", "data-replaced"],
        {"test_total", "test_more"},
    ),
}


def solution(name, given, body):
    text = f"def {name}({given}):\n    ### BEGIN SOLUTION\n    {body}\n"
    return cell("solution", name, text + "    ### END SOLUTION")


def problem():
    again = f"assert train(3, {SECRET}).shape == (3,)"
    more = f"assert twice({SECRET}) == {2 * SECRET}"
    made = notebook(
        cell("locked", "setup", SETUP),
        solution(
            "train", "n, seed", "return np.random.default_rng(seed).normal(size=n)"
        ),
        cell("test", "test_train", "assert train(3, 5).shape == (3,)", 1),
        solution("twice", "x", "return 2 * x"),
        cell("test", "test_twice", f"assert twice(3) == 6\n{HIDDEN.format(more)}", 1),
        cell("test", "test_again", HIDDEN.format(again), 1),
        solution("total", "x", "return x.sum()"),
        cell("test", "test_total", "assert total(DATA) == 10.0", 1),
        cell("test", "test_more", "assert total(2 * DATA) == 2 * DATA.sum()", 1),
    )
    made.metadata["course_rules"] = RULES
    return made


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    top = tmp_path_factory.mktemp("rules")
    folder = make_course(top / "course", "set", {"problem": problem()})
    submit(folder, "set", "problem", "honest", HONEST)
    for name, answers in ATTACKS.items():
        submit(folder, "set", "problem", name, answers)
    result = grade(folder, "set")
    assert result.code == 0, result.errors
    result.folder = folder
    return result


def told(run, name):
    """What the student reads."""
    text = (run.folder / "feedback" / name / "set" / "problem.html").read_text()
    return text[text.index("<body") :]


def test_who_keeps_the_rules_keeps_all_points(run):
    assert run.rows["honest"]["score"] == 5.0, run.rows["honest"]


@pytest.mark.parametrize("name", ATTACKS)
def test_what_breaks_a_rule_earns_nothing(run, name):
    lost = {q["id"] for q in run.rows[name]["questions"] if q["score"] == 0}
    assert lost == LOST[name], run.rows[name]


@pytest.mark.parametrize("name", ATTACKS)
def test_the_sentence_about_a_rule_tells_of_no_hidden_input(run, name):
    text = told(run, name)
    assert str(SECRET) not in text
    assert str(SECRET + 1) not in text
    assert "d7.d3.d1" not in text


def test_a_student_is_still_told_which_rule_it_was(run):
    used = "was used: answers to this question may use numpy alone"
    assert f"a module {used}" in told(run, "note")
    assert f"torch {used}" in told(run, "dotted-note")
    text = told(run, "seed")
    assert "train gave two results for one seed (5): draw" in text  # seen by all
    assert "train gave two results for one seed: draw" in text


def test_the_instructor_is_told_all(run):
    (said,) = (q for q in run.rows["note"]["questions"] if q["id"] == "test_twice")
    assert f"x{SECRET} was used" in said["message"]
