"""How the judge conducts a notebook: credit, losses, restarts, order, seeds."""

import pytest

from course_tools.grading.limits import Limits


@pytest.mark.parametrize(
    ("source", "score"),
    [
        ("assert True", 7.0),
        ("assert False", 0.0),
        ("2.5", 2.5),
        ("0", 0.0),
        ("np.float64(3.5)", 3.5),
        ("'text'", 7.0),
        ("np.array([3.5])", 3.5),
        ("np.array([3.5, 0])", 7.0),
        ("1000", 7.0),
        ("None", 7.0),
        ("2.5;", 7.0),
        ("import sys; print('x', file=sys.stderr)", 7.0),
        ("import warnings; warnings.warn('x')", 7.0),
        ("raise KeyboardInterrupt", 0.0),
        ("def f(:", 0.0),
        ("%matplotlib inline\n1.5", 1.5),
        ("import asyncio\nawait asyncio.sleep(0)\n2.0", 2.0),
    ],
)
def test_credit_follows_nbgrader(bench, source, score):
    (report,) = bench.verdicts(("locked", "import numpy as np"), ("test", source))
    assert report.score == score, report.message


@pytest.mark.parametrize("source", ["-1", "float('nan')", "np.array(-np.inf)"])
def test_less_than_nothing_gives_nothing(bench, source):
    """Plain nbgrader gives all points for it, and says that it is strange."""
    (report,) = bench.verdicts(("locked", "import numpy as np"), ("test", source))
    assert report.score == 0.0


def scores(bench, *cells, **options):
    return [report.score for report in bench.verdicts(*cells, **options)]


GOOD = ("student", "def good(): return 1")
TEST_GOOD = ("test", "assert good() == 1")


def test_cells_run_in_notebook_order(bench):
    cells = [
        ("student", "x = 1"),
        ("test", "assert x == 1"),
        ("student", "x = 2"),
        ("test", "assert x == 2"),
    ]
    assert scores(bench, *cells) == [7.0, 7.0]


def test_a_dead_call_costs_one_question(bench):
    die = ("student", "import os\ndef die(): os._exit(1)")
    found = scores(bench, GOOD, die, TEST_GOOD, ("test", "die()"), TEST_GOOD)
    assert found == [7.0, 0.0, 7.0]


def test_a_dead_call_cannot_be_caught(bench):
    die = ("student", "import os\ndef die(): os._exit(1)")
    test = "try:\n    die()\nexcept:\n    pass"
    assert scores(bench, die, ("test", test)) == [0.0]


def test_a_deadly_cell_is_left_out_after_a_restart(bench):
    cells = [GOOD, ("student", "import os\nos._exit(1)"), TEST_GOOD]
    cells += [
        ("student", "def late(): return good() + 1"),
        ("test", "assert late() == 2"),
    ]
    assert scores(bench, *cells) == [7.0, 7.0]


def test_restarts_are_bounded(bench):
    die = ("student", "import os\ndef die(): os._exit(1)")
    cells = [GOOD, die, *[("test", "die()")] * 4, TEST_GOOD]
    result = bench.run(*cells, limits=Limits(cell_seconds=20, restarts=2))
    verdicts = result.verdicts
    assert [v.score for v in verdicts] == [0.0] * 5
    assert result.complete


def test_a_hanging_call_is_stopped(bench):
    hang = ("student", "def hang():\n    while True: pass")
    result = bench.run(
        GOOD, hang, ("test", "hang()"), TEST_GOOD, limits=Limits(cell_seconds=1.0)
    )
    hung, good = result.verdicts
    assert hung.score == 0.0
    assert "time limit" in hung.message
    assert good.score == 7.0
    assert result.seconds < 15


def test_a_slow_test_of_the_instructor_is_stopped(bench):
    slow = ("test", "while True: good()")
    result = bench.run(GOOD, slow, TEST_GOOD, limits=Limits(cell_seconds=1.0))
    stopped, good = result.verdicts
    assert stopped.score == 0.0
    assert good.score == 7.0


def test_number_of_calls_is_limited(bench):
    limits = Limits(cell_seconds=20, calls=50)
    result = bench.run(
        GOOD, ("test", "for _ in range(60): good()"), TEST_GOOD, limits=limits
    )
    many, good = result.verdicts
    assert "more than 50 calls" in many.message
    assert good.score == 7.0


def test_size_of_answers_is_limited(bench):
    limits = Limits(cell_seconds=20, message=100_000)
    student = ("student", "import numpy as np\ndef f(n): return np.ones(n)")
    result = bench.run(
        student, ("test", "f(1000)"), ("test", "f(1_000_000)"), limits=limits
    )
    small, large = result.verdicts
    assert small.score == 7.0
    assert large.score == 0.0


def test_the_seed_of_a_question_is_fixed(bench):
    student = (
        "student",
        "import random\nrandom.seed()\ndef draw(): return random.random()",
    )
    test = ("test", "import random\nprint(draw(), random.random())")
    first, second = bench.verdicts(student, test)[0], bench.verdicts(student, test)[0]
    assert first.outputs == second.outputs
    assert len(first.outputs[0]["text"].split()) == 2


def test_a_failed_student_cell_leaves_the_others(bench):
    cells = [("student", "1 / 0"), GOOD, TEST_GOOD]
    assert scores(bench, *cells) == [7.0]


def test_outputs_of_student_cells_are_kept(bench):
    result = bench.run(("student", "print('shown')\n6 * 7"))
    (report,) = result.reports
    kinds = [output["output_type"] for output in report.outputs]
    assert kinds == ["stream", "execute_result"]
    assert report.outputs[1]["data"]["text/plain"] == "42"


def test_programs_started_by_a_cell_are_shown(bench):
    (report,) = bench.run(("student", "import os\nos.system('echo raw')")).reports
    assert any("raw" in output.get("text", "") for output in report.outputs)


def test_files_of_the_submission_are_there(bench):
    student = ("student", "def read(): return open('data/a.txt').read()")
    test = ("test", "assert read() == 'x' and open('own.txt').read() == 'y'")
    found = bench.verdicts(
        student, test, files={"data/a.txt": b"x"}, judge_files={"own.txt": b"y"}
    )
    assert found[0].score == 7.0, found[0].message


def test_modules_beside_the_notebook_can_be_imported(bench):
    student = ("student", "import mine\ndef f(): return mine.value")
    files = {"mine.py": b"value = 11", "numpy.py": b"raise SystemExit"}
    (found,) = bench.verdicts(student, ("test", "assert f() == 11"), files=files)
    assert found.score == 7.0, found.message


def test_locked_cells_that_only_show_results_run_once(bench):
    cells = [
        ("student", "calls = []\ndef train(): calls.append(1); return 3"),
        ("locked", "result = train()\nprint(result)"),
        ("test", "assert len(calls) == 1"),
    ]
    assert scores(bench, *cells) == [7.0]


def test_locked_results_that_tests_need_are_there(bench):
    cells = [
        ("student", "def train(): return 3"),
        ("locked", "result = train()"),
        ("test", "assert result == 3"),
    ]
    assert scores(bench, *cells) == [7.0]
