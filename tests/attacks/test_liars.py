"""Answers that lie: to the judge for points, to the page of feedback about inputs.

Each question is one that instructors write every day, and each attack on it worked
against an earlier version of the engine.
"""

import pytest
from made_course import cell, grade, make_course, notebook, submit

SECRET = 731_954_862
HELPERS = """
import numpy as np
import torch

def close(a, b):
    if not a == b:
        raise AssertionError(f"the result {a} is wrong, expected {b}")
"""
MIDDLE = "start = first()\n\ndef same(a, b):\n    return a == b"
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


def solution(name, body, before=""):
    lines = ("### BEGIN SOLUTION", body, "### END SOLUTION")
    text = f"{before}def {name}(x):\n" + "".join(f"    {line}\n" for line in lines)
    return cell("solution", name, text)


def question(name, shown, hidden=None):
    text = shown if hidden is None else f"{shown}\n{HIDDEN.format(hidden)}"
    return cell("test", f"test_{name}", text, 1)


CHECK = """def check(v):
    got = through(v)
    assert got == 2 * v, f"through({v}) is {got}"
check(3)"""


def problem():
    return notebook(
        cell("locked", "setup", HELPERS),
        solution("soft", "return torch.softmax(x, 0)"),
        question(
            "soft",
            "x = torch.arange(3.0)\nassert soft(x).allclose(torch.softmax(x, 0))",
        ),
        solution("square", "return x * x"),
        question(
            "square",
            "for got, want in zip(map(square, [1, 2]), [1, 4]):\n"
            "    assert got == want\n"
            "assert all(map(lambda v: square(v) == v * v, [4]))",
        ),
        solution("cube", "return x ** 3", "import numpy as np\n"),
        question("cube", "assert np.allclose(cube(2.0), 8.0)"),
        solution("first", "return 1", "def last(x): return x + 1\n"),
        cell("locked", "middle", MIDDLE.replace("first()", "first(0)")),
        cell("plain", None, "# notes"),
        question("first", "assert same(last(5), 6)"),
        solution("through", "return 2 * x"),
        question("through", CHECK, f"check({SECRET})"),
        solution("third", "return 3 * x"),
        question(
            "third", "close(third(1), 3)", f"close(third({SECRET}), {3 * SECRET})"
        ),
        solution("plain", "return x"),
        question(
            "plain", "assert plain(3) == 3", f"assert plain({SECRET}) == {SECRET}"
        ),
    )


FUNCTION = "def soft(x):\n    def r(): pass\n    r.allclose = lambda *a, **k: True\n"
SPELL = "''.join('softmax' if b == '1' else 'square' for b in f'{x:030b}')"
LIES = {
    "soft": FUNCTION + "    return r",
    "square": "def square(x):\n    raise StopIteration",
    "cube": "class np:\n    allclose = staticmethod(lambda *a, **k: True)\n"
    "def cube(x): return None",
    "first": "import sys\n"
    "def first(x):\n"
    "    if sys._getframe(1).f_code.co_name == 'do_call': raise ValueError('no')\n"
    "    return 1\n"
    "def last(x): return None",
    "through": "def through(x):\n    return 6 if x == 3 else f'saw {x}'",
    "third": f"def third(x):\n    return 3 if x == 1 else {SPELL}",
    "plain": "class C: pass\n"
    f"def plain(x):\n    if x == 3: return 3\n    C.__name__ = {SPELL}\n    return C()",
}
TUPLE = "from collections import namedtuple\nR = namedtuple('R', 'allclose')\n"
MODULE = "import types\nm = types.ModuleType('m')\nm.allclose = lambda *a, **k: True\n"
ERRORS = "[OverflowError, TimeoutError, BlockingIOError, BufferError][x % 4]"
VARIANTS = {
    "tuple": dict(LIES, soft=TUPLE + "def soft(x): return R(lambda *a, **k: True)"),
    "module": dict(LIES, soft=MODULE + "def soft(x): return m"),
    "raises": dict(
        LIES,
        through="def through(x):\n    if x == 3: return 6\n    raise ValueError(x)",
        plain=f"def plain(x):\n    if x == 3: return 3\n    raise {ERRORS}('')",
    ),
}


def helper_of_their_own(made, folder):
    for item in made["cells"]:
        if item["source"] == "# notes":
            item["source"] = "same = lambda a, b: True"


def moved(made, folder):
    """A question with a hidden check is put in front of all others."""
    cells = made["cells"]
    names = [item["metadata"].get("nbgrader", {}).get("grade_id") for item in cells]
    cells.insert(1, cells.pop(names.index("test_plain")))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = make_course(
        tmp_path_factory.mktemp("liars") / "course", "set", {"problem": problem()}
    )
    names = ("soft", "square", "cube", "through", "third", "plain")
    bodies = ("torch.softmax(x, 0)", "x * x", "x ** 3", "2 * x", "3 * x", "x")
    honest = {
        name: f"def {name}(x): return {body}"
        for name, body in zip(names, bodies, strict=True)
    }
    honest["first"] = "def first(x): return 1\ndef last(x): return x + 1"
    for number in range(5):
        submit(folder, "set", "problem", f"honest{number}", honest)
    submit(folder, "set", "problem", "liar", LIES, helper_of_their_own)
    submit(folder, "set", "problem", "mover", LIES, moved)
    for name, answers in VARIANTS.items():
        submit(folder, "set", "problem", name, answers, helper_of_their_own)
    result = grade(folder, "set")
    assert result.code == 0, result.errors
    result.folder = folder
    return result


def test_honest_answers_keep_all_points(run):
    for number in range(5):
        row = run.rows[f"honest{number}"]
        assert (row["score"], row["incidents"]) == (7.0, []), row


@pytest.mark.parametrize("name", ["liar", "mover", *VARIANTS])
def test_lies_earn_nothing(run, name):
    scores = {q["id"]: q["score"] for q in run.rows[name]["questions"]}
    assert set(scores.values()) == {0.0}, run.rows[name]


@pytest.mark.parametrize("name", ["liar", "mover", *VARIANTS])
def test_pages_tell_nothing_of_hidden_inputs(run, name):
    text = (run.folder / "feedback" / name / "set" / "problem.html").read_text()
    text = text[text.index("<body") :]
    for secret in (SECRET, 2 * SECRET, "softmaxsoftmax", "squaresoftmax"):
        assert str(secret) not in text
    for rare in ("OverflowError", "TimeoutError", "BlockingIOError", "BufferError"):
        assert f"raised {rare}" not in text


def test_moved_cells_are_named(run):
    assert any("were moved" in text for text in run.rows["mover"]["incidents"])
