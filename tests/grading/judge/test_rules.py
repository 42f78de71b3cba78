"""Rules of a set: each is kept, each breach is named, and honest answers pass."""

import pytest

from course_tools.errors import CommandError
from course_tools.grading import rules
from course_tools.grading.rules import Rules

NUMPY_ALONE = Rules(modules={"all": ("numpy",)})
BROKEN = "a rule of this set is broken: "
SETUP = "import numpy as np\nimport torch\nimport torch.nn.functional as F"
SOLUTION = ("def f(x):\n    return x",)


def judged(bench, *cells, **options):
    """The last verdict of a notebook with these cells."""
    return bench.verdicts(*cells, solution=SOLUTION, **options)[-1]


# ---- reading them ----


def read(given):
    return rules.read({"course_rules": given}, "ps1", ["step", "bptt"], ["referee"])


def test_rules_are_read_as_written():
    given = {
        "judge_alone": ["referee"],
        "modules": {"all": ["numpy"], "bptt": ["numpy", "torch"]},
        "seconds": {"bptt": 8},
        "seeded": {"bptt": "train"},
        "arguments_unchanged": True,
    }
    found = read(given)
    assert found.modules_in("step") == ("numpy",)
    assert found.modules_in("bptt") == ("numpy", "torch")
    assert found.modules_everywhere == ("numpy",)
    assert found.modules_anywhere == ("numpy", "torch")
    assert (found.seconds, found.seeded) == ({"bptt": 8.0}, {"bptt": "train"})
    assert found.keeps_arguments("step")
    assert len(found.in_words) == 6


def test_a_list_of_modules_is_for_all_questions():
    assert read({"modules": ["numpy"]}).modules_in("step") == ("numpy",)
    assert rules.read({}, "ps1", [], []) == Rules()
    assert Rules().modules_in("step") is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "must be a table of rules"),
        ({"modles": []}, "there is no rule 'modles'"),
        ({"judge_alone": ["refere"]}, "there is no locked cell refere"),
        ({"judge_alone": "referee"}, "judge_alone must be a list of names"),
        ({"modules": "numpy"}, "modules must be a list of names"),
        ({"modules": ["torch.nn"]}, "'torch.nn' is no name of a module"),
        ({"modules": {"stp": ["numpy"]}}, "there is no question stp"),
        ({"seconds": 8}, "seconds must name questions"),
        ({"seconds": {"step": -1}}, "seconds must be positive numbers"),
        ({"seconds": {"step": True}}, "seconds must be positive numbers"),
        ({"seeded": {"step": 3}}, "seeded must name functions"),
        ({"arguments_unchanged": 1}, "must be true, or a table"),
        ({"arguments_unchanged": {"stp": True}}, "there is no question stp"),
    ],
)
def test_a_bad_rule_is_one_clear_line(given, words):
    with pytest.raises(CommandError) as caught:
        read(given)
    assert str(caught.value).startswith("ps1: course_rules: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


# ---- modules ----

BARRED = {
    "a module that a locked cell imported": "def f(x):\n    return F.relu(x)",
    "an import of its own": "import torch\ndef f(x):\n    return torch.relu(x)",
    "another name": "import torch as t\ndef f(x):\n    return t.relu(x)",
    "an import inside": "def f(x):\n    import torch.nn as nn\n    return nn.ReLU()(x)",
    "one thing of it": "from torch import relu\ndef f(x):\n    return relu(x)",
    "in a helper": "def h(x):\n    return torch.relu(x)\ndef f(x):\n    return h(x)",
    "an alias": "g = torch.relu\ndef f(x):\n    return g(x)",
    "by importlib": "import importlib\n"
    "def f(x):\n    return importlib.import_module('torch').relu(x)",
    "not installed at all": "import scypi as s\ndef f(x):\n    return s.relu(x)",
}
TEST = "assert f(np.ones(2)).sum() == 2"


@pytest.mark.parametrize("code", BARRED.values(), ids=BARRED)
def test_a_barred_module_is_a_breach(bench, code):
    cells = ("locked", SETUP), ("student", code), ("test", TEST)
    verdict = judged(bench, *cells, rules=NUMPY_ALONE)
    assert verdict.breach
    assert verdict.score == 0
    assert "was used: answers to this question may use numpy alone" in verdict.public
    free = judged(bench, *cells)
    assert not free.breach


HONEST = {
    "naming it in a hint": "def f(x: torch.Tensor) -> torch.Tensor:\n    return x",
    "an import that is not used": "import torch\nfrom torch import nn\n"
    "def f(x):\n    return x",
    "a variable of that name": "def f(x, F=2):\n"
    "    torch = x\n    return torch * F / 2",
    "asking for its classes": "def f(x):\n"
    "    return None if isinstance(x, torch.Tensor) else x",
    "Python's own modules": "import math, itertools, sys\nfrom functools import cache\n"
    "def f(x):\n    return x * math.cos(0) * (sys.maxsize > 0)",
    "everything of numpy": "from numpy import *\nfrom numpy.linalg import norm\n"
    "def f(x):\n    return maximum(x, 0) * norm([1.0])",
    "a figure": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
    "def f(x):\n    return x",
}


@pytest.mark.parametrize("code", HONEST.values(), ids=HONEST)
def test_what_is_allowed_passes(bench, code):
    cells = ("locked", SETUP), ("student", code), ("test", TEST)
    verdict = judged(bench, *cells, rules=NUMPY_ALONE)
    assert verdict.score == 7, verdict.message


def test_a_module_may_be_allowed_in_one_question(bench):
    cells = (
        ("locked", SETUP),
        ("student", "def f(x):\n    return F.relu(torch.tensor(x)).numpy()"),
        ("test", TEST),
        ("test", TEST),
    )
    some = Rules(modules={"all": ("numpy",), "test3": ("numpy", "torch")})
    first, second = bench.verdicts(*cells, solution=SOLUTION, rules=some)
    assert (first.breach, first.score, second.score) == (True, 0, 7)


# ---- the judge alone ----


def test_students_code_does_not_have_the_referee(bench):
    cells = (
        ("locked", SETUP),
        ("locked", "def truth(x):\n    return 2 * x"),
        ("student", "def f(x):\n    return truth(x)"),
        ("test", "assert f(3) == truth(3)"),
    )
    verdict = judged(bench, *cells, rules=Rules(judge_alone=("locked1",)))
    assert verdict.breach
    assert (
        verdict.public == BROKEN + "truth belongs to the tests: answers cannot use it"
    )
    assert judged(bench, *cells).score == 7


def test_an_answer_may_use_the_same_name_for_its_own(bench):
    cells = (
        ("locked", "def truth(x):\n    return 2 * x"),
        ("student", "def truth(x):\n    return 0\ndef f(x):\n    return truth(x) + 6"),
        ("test", "assert f(3) == truth(3) == 6"),
    )
    verdict = judged(bench, *cells, rules=Rules(judge_alone=("locked0",)))
    assert verdict.score == 7


# ---- arguments, seconds ----


def test_a_changed_argument_is_a_breach(bench):
    cells = (
        ("locked", SETUP),
        ("student", "def f(x, y):\n    y += 1\n    return x"),
        ("test", "assert f(np.ones(2), np.ones(2)).sum() == 2"),
    )
    verdict = judged(bench, *cells, rules=Rules(arguments_unchanged={"all": True}))
    assert verdict.breach
    told = "argument number 2 was changed in place: work on a copy"
    assert verdict.public == BROKEN + told
    some = Rules(arguments_unchanged={"all": True, "test2": False})
    assert judged(bench, *cells, rules=some).score == judged(bench, *cells).score == 7


BUSY = """import time
def spend(seconds):
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass
"""


@pytest.mark.parametrize(
    "code",
    [
        "def f(draw):\n    draw()\n    spend(0.6)\n    return 1",
        "def f(draw):\n    spend(0.6)\n    draw()\n    spend(30)\n    return 1",
        "import threading\ndef f(draw):\n"
        "    t = threading.Thread(target=spend, args=(0.6,))\n"
        "    t.start(), t.join()\n    return 1",
    ],
)
def test_computing_for_too_long_is_a_breach(bench, code):
    cells = ("student", BUSY + code), ("test", "assert f(lambda: 0) == 1")
    verdict = judged(bench, *cells, rules=Rules(seconds={"test1": 0.3}))
    assert verdict.breach
    assert "time is up: 0.3 s of computing are allowed" in verdict.public


def test_waiting_and_the_tests_own_computing_cost_nothing(bench):
    code = "import time\ndef f(draw):\n    draw()\n    time.sleep(0.5)\n    return 1"
    spend = BUSY.replace("spend", "busy")
    cells = ("student", code), ("test", spend + "assert f(lambda: busy(0.5)) == 1")
    verdict = judged(bench, *cells, rules=Rules(seconds={"test1": 0.3}))
    assert verdict.score == 7, verdict.message


def test_a_breach_does_not_cost_the_next_question(bench):
    code = (
        "def f(draw):\n    spend(0.6)\n    draw()\n    return 1\ndef g():\n    return 2"
    )
    cells = (
        ("student", BUSY + code),
        ("test", "assert f(lambda: 0) == 1"),
        ("test", "assert g() == 2"),
    )
    limits = Rules(seconds={"test1": 0.3})
    first, second = bench.verdicts(*cells, solution=SOLUTION, rules=limits)
    assert (first.breach, second.score) == (True, 7)


# ---- seeds ----

SEEDS = {
    "none": ("np.random.default_rng()", "two results for one seed (5)"),
    "the global one": ("np.random", "two results for one seed (5)"),
    "a constant": (
        "np.random.default_rng(3)",
        "the same result for two seeds (5 and 6)",
    ),
}
TRAIN = "import numpy as np\ndef f(draw, seed):\n    rng = {}\n"
TRAIN += "    return {{'w': rng.normal(size=3) + draw()}}"
TRAINED = "data = iter(range(9))\nassert f(lambda: next(data), 5)['w'].shape == (3,)"


@pytest.mark.parametrize(("generator", "words"), SEEDS.values(), ids=SEEDS)
def test_a_seed_that_decides_nothing_is_a_breach(bench, generator, words):
    cells = ("student", TRAIN.format(generator)), ("test", TRAINED)
    verdict = judged(bench, *cells, rules=Rules(seeded={"test1": "f"}))
    assert verdict.breach
    assert f"f gave {words}" in verdict.public


def test_a_seeded_answer_passes(bench):
    code = TRAIN.format("np.random.default_rng(seed)")
    cells = ("student", code), ("test", TRAINED)
    also = {"all": True}  # that a test's function remembers its answers is no change
    ruled = Rules(seeded={"test1": "f"}, arguments_unchanged=also)
    verdict = judged(bench, *cells, rules=ruled)
    assert verdict.score == 7, verdict.message
