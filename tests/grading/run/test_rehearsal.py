"""Locked cells that are run once per class, and the judge's rehearsal."""

import functools
import itertools
from collections import namedtuple
from dataclasses import replace

import pytest
from made_course import cell, grade, make_course, notebook, submit
from made_notebook import Bench

from course_tools.grading.messages import Job
from course_tools.grading.run import coordinator, job, zygote_client
from course_tools.grading.run.job import Place
from course_tools.grading.run.rehearsal import Rehearsals, prepare
from course_tools.grading.validate import encode
from course_tools.grading.zygote import purity

SOLUTION = ("student", "def f(x): return 2 * x")
GOOD = ("test", "assert f(3) == 6")


@pytest.fixture
def both(bench):
    """Run cells as they are, and again with the first ones run beforehand."""

    def run(*cells, own=None, files=None):
        plans = [bench.plan(cells), bench.plan(own or cells)]
        solved, handed_in = (Job(plan, {}, files or {}, "made-up") for plan in plans)
        place = Place(bench.zygote)
        ready = prepare(solved, place)
        plain = job.run(handed_in, place)
        fitting = ready if ready is not None and ready.fits(handed_in.plan) else None
        return ready, plain, job.run(handed_in, place, fitting)

    return run


def results(result):
    """What must be the same: everything but times."""
    timeless = [
        {**encode(report), "seconds": 0.0, "cpu": 0.0} for report in result.reports
    ]
    return timeless, result.incidents, result.complete


def scores(result):
    return [verdict.score for verdict in result.verdicts]


def test_the_same_reports(both):
    locked = ("locked", "import numpy as np\nlimit = 6\nprint('ready')\nlimit")
    test = ("test", "assert f(3) == limit\nassert f(4) == 9, 'four'")
    made, plain, fast = both(locked, SOLUTION, test, GOOD)
    assert results(plain) == results(fast)
    assert scores(fast) == [0.0, 7.0]
    shown = fast.reports[0].outputs
    assert [item.get("text") for item in shown] == ["ready\n", None]
    assert made.remarks == ("test2: AssertionError: four",)


def test_what_is_cached_is_computed_once(both):
    locked = (
        "locked",
        "import functools\n@functools.cache\ndef truth(x): return 2 * x",
    )
    test = ("test", "assert f(3) == truth(3)\nfloat(truth.cache_info().hits)")
    _, plain, fast = both(locked, SOLUTION, test)
    assert (scores(plain), scores(fast)) == ([0.0], [1.0])


@pytest.mark.parametrize(
    ("locked", "test"),
    [
        ("seen = []", "seen.append(f(1)); float(len(seen))"),
        ("count = 0", "count += 1; float(count)"),
        ("def up(kept=[]):\n    kept.append(1)\n    return kept", "float(len(up()))"),
        ("def up():\n    up.n = vars(up).get('n', 0) + 1", "up(); float(up.n)"),
        ("class C:\n    def up(self):\n        C.up.n = vars(C.up).get('n', 0) + 1",
         "C().up(); float(C.up.n)"),
        ("class C:\n    n = 0", "C.n += 1; float(C.n)"),
        ("import torch", "assert f(torch.ones(1)).dtype == torch.float32\n"
                         "torch.set_default_dtype(torch.float64)"),
        ("import functools\n@functools.cache\ndef kept(g): return g(3)", "kept(f) / 6"),
        ("import random", "float(random.random())"),
        ("import numpy as np", "float(np.random.rand())"),
    ],
)  # fmt: skip
def test_nobody_remembers_the_rehearsal(both, locked, test):
    made, plain, fast = both(("locked", locked), SOLUTION, ("test", test), GOOD)
    assert made is not None
    assert results(plain) == results(fast)


@pytest.mark.parametrize(
    "locked",
    [
        "open('made.txt', 'w').write('9')",
        "import threading, time\nthreading.Thread(target=time.sleep, args=[9]).start()",
        "1 / 0",
        "import os\nos._exit(0)",
    ],
)
def test_cells_that_must_run_every_time(both, locked):
    made, plain, fast = both(("locked", locked), SOLUTION, GOOD)
    assert made is None
    assert results(plain) == results(fast)


def test_files_beside_the_notebook_are_there(both):
    locked = ("locked", "import helper\ntext = open('data.txt').read()")
    test = ("test", "assert helper.twice(4) == f(4) and text == 'data'")
    files = {"helper.py": b"def twice(x): return 2 * x", "data.txt": b"data"}
    made, _, fast = both(locked, SOLUTION, test, files=files)
    assert made is not None
    assert scores(fast) == [7.0]


def test_a_submission_with_a_cell_of_its_own_first(both, bench):
    cells = [("locked", "limit = 6"), SOLUTION, ("test", "assert f(3) == limit")]
    made, plain, fast = both(*cells, own=[("student", "print('mine')"), *cells])
    assert not made.fits(bench.plan([("student", "print('mine')"), *cells]))
    assert results(plain) == results(fast)


def test_a_process_that_ends_starts_after_the_first_cells(both):
    locked = ("locked", "print('once')\nlimit = 6")
    fatal = ("student", "import os\nos._exit(3)")
    test = ("test", "assert f(3) == limit")
    _, plain, fast = both(locked, SOLUTION, fatal, test)
    assert results(plain) == results(fast)
    assert scores(fast) == [7.0]


@pytest.mark.parametrize("mode", zygote_client.modes())
def test_in_every_kind_of_sandbox(mode):
    """As root, and as an ordinary user with a user namespace."""
    zygote = zygote_client.ZygoteClient(mode)
    try:
        plan = Bench(zygote).plan([("locked", "limit = 6"), SOLUTION, GOOD])
        task, place = Job(plan, {}, {}, "a"), Place(zygote)
        made = prepare(task, place)
        result = job.run(task, place, made)
        assert made is not None
        assert scores(result) == [7.0]
    finally:
        zygote.close()


def test_prepared_once_per_notebook(bench, monkeypatch):
    task = Job(bench.plan([SOLUTION, GOOD]), {}, {}, "a")
    rehearsals = Rehearsals({"a": task})
    first = rehearsals.prepared(task, Place(bench.zygote))
    assert first is not None
    assert rehearsals.prepared(task, Place(bench.zygote, slot=1)) is first
    other = replace(task, notebook="b")
    assert rehearsals.prepared(other, Place(bench.zygote)) is None
    rehearsals.close()


class Plain(namedtuple("Plain", "a b")):
    """A class as locked cells have them."""

    __module__ = "__main__"

    @property
    def total(self):
        return self.a + self.b


class Counter:
    __module__ = "__main__"
    seen = {}


def closed():
    kept = []
    return lambda: kept


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *zip([1, "a", None, (1, "b"), itertools, len, Plain], itertools.repeat(False)),
        (functools.cache(lambda x: x), False),
        (frozenset([1]), False),
        *zip([[], {}, (1, []), Counter, Plain(1, 2), closed()], itertools.repeat(True)),
        (functools.cache(closed()), True),
        (iter("a"), True),
    ],
)
def test_what_can_remember(value, expected):
    assert purity.remembers(value, set()) is expected


@pytest.mark.usefixtures("warm")
def test_a_class_gets_the_same_rows_and_the_instructor_a_remark(tmp_path, monkeypatch):
    book = notebook(
        cell("locked", "first", "from functools import cache\nlimit = 9"),
        cell("solution", "square", "def square(x):\n    return x * x"),
        cell("test", "right", "assert square(3) == limit, 'three'", 2),
        cell("test", "broken", "assert square(2) == 5, 'two'", 3),
    )
    folder = make_course(tmp_path / "course", "set1", {"book": book})
    for number in range(coordinator.REHEARSED_FROM):
        answer = "def square(x):\n    return x * x" if number % 2 else "square = None"
        submit(folder, "set1", "book", f"s{number}", {"square": answer})
    fast = grade(folder, "set1")
    assert fast.report["remarks"] == ["broken: AssertionError: two"]
    monkeypatch.setattr(coordinator, "REHEARSED_FROM", 10_000)
    slow = grade(folder, "set1", "--force")
    assert "remarks" not in slow.report
    for name, row in fast.rows.items():
        assert row["questions"] == slow.rows[name]["questions"]
        assert row["incidents"] == slow.rows[name]["incidents"]
