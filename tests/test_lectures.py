"""The budget of all lectures together: what is over it, and that a session fails."""

import os
import subprocess
import sys

import pytest
from lectures import BUDGET, TOTAL_BUDGET, budget, over_total

EVEN = TOTAL_BUDGET / len(BUDGET)


def rows(seconds: float) -> list[tuple]:
    """Made measurements: every lecture takes the same time."""
    return [(name, seconds, 1.0) for name in BUDGET]


NUMBER = "97"  # apart from the words, for no notebook has these names


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        (f"{NUMBER}_new", 60),
        (f"{NUMBER}b_more", 90),
        ("Z_appendix", 90),
    ],
)
def test_a_lecture_has_a_minute_and_a_companion_more(name, seconds):
    assert budget(name) == seconds


def test_a_sum_within_the_budget_is_fine_and_one_over_it_is_not():
    assert over_total(rows(0.99 * EVEN)) == ""
    complaint = over_total(rows(1.01 * EVEN))
    assert f"{1.01 * TOTAL_BUDGET:.0f} s; they may take {TOTAL_BUDGET} s" in complaint


def test_the_longest_lectures_are_named():
    first, *others = rows(EVEN)
    complaint = over_total([(first[0], EVEN + 7, 1.0), *others])
    assert f"The longest: {first[0]} {EVEN + 7:.0f} s, " in complaint


@pytest.mark.parametrize("few", [[], rows(2 * EVEN)[1:]], ids=["none", "not all"])
def test_a_run_of_some_lectures_is_not_judged(few):
    assert over_total(few) == ""


TRIAL = """\
import pytest

@pytest.mark.parametrize("row", {rows})
def test_made(row, record_property):
    record_property("lecture", row)
"""

WORKERS = ["-p", "xdist", "-n", "2", "--dist", "loadfile"]  # as `./course test`


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "workers"), [(0.9, WORKERS), (1.1, WORKERS), (1.1, [])]
)
def test_a_session_over_the_budget_fails_and_says_why(
    share, workers, tmp_path, project_root
):
    """The seconds are made up, the session is real, with and without workers."""
    (tmp_path / "test_trial.py").write_text(TRIAL.format(rows=rows(share * EVEN)))
    tests = project_root / "tests"
    (tmp_path / "conftest.py").write_text((tests / "conftest.py").read_text("utf-8"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *workers]
    quick = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # seconds of imports per process
    path = {"PYTHONPATH": os.pathsep.join([str(project_root), str(tests / "support")])}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, **quick, **path},
        capture_output=True,
        text=True,
    )
    over = share > 1
    assert done.returncode == over, done.stdout
    closing = done.stdout.splitlines()[-1]
    assert ("1 failed" in closing) == over
    assert f"{len(BUDGET)} passed" in closing
    assert (f"they may take {TOTAL_BUDGET} s" in done.stdout) == over
