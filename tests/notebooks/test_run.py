"""Every lecture runs from top to bottom and prints what is stored."""

import os
import re
import subprocess
import sys
import time

import nbformat
import pytest
from lectures import BUDGET, COMPARED_GOAL, LECTURES, NOTEBOOKS, share_compared
from pace import Pace

HERE = os.path.dirname(__file__)
HALF_AN_HOUR = "1800"  # for one cell, in seconds: only what never ends takes longer


def nbval(path) -> subprocess.CompletedProcess:
    """nbval with outputs compared, in a process of its own."""
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:xdist"]
    command += ["-p", "no:cacheprovider", "--override-ini", "addopts="]
    command += ["--nbval-sanitize-with", os.path.join(HERE, "sanitize.cfg")]
    command += ["--nbval-cell-timeout", HALF_AN_HOUR, "--color", "no", str(path)]
    quiet = {**os.environ, "COURSE_QUIET": "1"}
    return subprocess.run(
        command, env=quiet, cwd=NOTEBOOKS.parent, capture_output=True, text=True
    )


def computing() -> float:
    """Seconds that ended child processes, and theirs, have computed so far."""
    times = os.times()
    return times.children_user + times.children_system


@pytest.mark.slow
@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_lecture_runs_and_prints_what_is_stored(path, record_property):
    """A lecture computes on one thread: on a free core its seconds of computing are
    the seconds one waits.  On a slow or busy machine they are more; a piece of work
    that is done beside the lecture tells how many more."""
    with Pace() as pace:
        began, before = time.monotonic(), computing()
        result = nbval(path)
        waited, computed = time.monotonic() - began, computing() - before
    waited, computed = pace.usual_wait(waited), pace.usual(computed)
    seconds = computed or waited  # Windows does not count the seconds of children
    record_property("lecture", (path.stem, seconds, share_compared(path)))
    assert result.returncode == 0, result.stdout[-6000:]
    budget = BUDGET[path.stem]
    assert seconds < budget, f"{seconds:.0f} s; it may take {budget}"
    assert waited < 4 * budget, f"{waited:.0f} s, of which {seconds:.0f} s computing"


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_most_outputs_are_compared(path):
    share = share_compared(path)
    assert share >= COMPARED_GOAL, f"{share:.0%} of the code cells are compared"


def trial(path, code: str, stored: str) -> subprocess.CompletedProcess:
    """Compare what the code prints with a stored output."""
    output = nbformat.v4.new_output("stream", name="stdout", text=stored)
    cell = nbformat.v4.new_code_cell(code, execution_count=1, outputs=[output])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return nbval(path)


@pytest.mark.slow
def test_a_changed_output_is_noticed(tmp_path):
    """The comparison can fail: one digit of one stored output is changed."""
    code = "print('the answer is', 6 * 7)"
    assert trial(tmp_path / "right.ipynb", code, "the answer is 42\n").returncode == 0
    result = trial(tmp_path / "wrong.ipynb", code, "the answer is 43\n")
    assert result.returncode == 1, result.stdout
    assert re.search("43.*42|42.*43", result.stdout, re.S)


MEASURED = """\
from course_lib.check import holds, measured, table
holds("loss", 1.6234, below=1.7)
holds("solved", 7, of=8, at_least=6)
holds("errors", [0.1234, 12345.6, -3e-9], below=2e4)
table({"gap": [2, 3], "right": measured([0.98, 0.5], above=0.4, unit="%")})
"""
ELSEWHERE = """\
loss ≈ 1.58 (below 1.70)
solved ≈ 8 of 8 (at least 6)
errors ≈ 0.0987, 9,999, 0 (all 3 below 20,000)
gap  right
     (above 40 %)
  2  ≈     99.1 %
  3  ≈    100.0 %
"""


@pytest.mark.slow
def test_other_digits_of_a_measured_value_are_fine_and_nothing_else(tmp_path):
    """As from another processor; then one other thing of each line is changed."""
    result = trial(tmp_path / "elsewhere.ipynb", MEASURED, ELSEWHERE)
    assert result.returncode == 0, result.stdout
    changes = [("1.70", "1.80"), ("of 8", "of 9"), ("all 3", "all 4"), ("loss", "Loss")]
    changes += [("40 %", "41 %"), ("99.1 %", "99.1"), ("  3  ≈", "  4  ≈")]
    for number, (old, new) in enumerate(changes):
        changed = ELSEWHERE.replace(old, new, 1)
        assert changed != ELSEWHERE
        result = trial(tmp_path / f"changed{number}.ipynb", MEASURED, changed)
        assert result.returncode == 1, (old, new, result.stdout)
