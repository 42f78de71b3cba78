"""Every lecture runs from top to bottom and prints what is stored."""

import os
import re
import subprocess
import sys
import time

import nbformat
import pytest
from lectures import BUDGET, COMPARED_GOAL, LECTURES, NOTEBOOKS, share_compared

HERE = os.path.dirname(__file__)


def nbval(path) -> subprocess.CompletedProcess:
    """nbval with outputs compared, in a process of its own."""
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:xdist"]
    command += ["-p", "no:cacheprovider", "--override-ini", "addopts="]
    command += ["--nbval-sanitize-with", os.path.join(HERE, "sanitize.cfg")]
    command += ["--nbval-cell-timeout", "120", "--color", "no", str(path)]
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
    the seconds one waits.  Other tests that share the cores do not count against it."""
    began, before = time.monotonic(), computing()
    result = nbval(path)
    waited, computed = time.monotonic() - began, computing() - before
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


@pytest.mark.slow
def test_a_changed_output_is_noticed(tmp_path):
    """The comparison can fail: one digit of one stored output is changed."""
    code = "print('the answer is', 6 * 7)"
    cell = nbformat.v4.new_code_cell(code, execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="")]
    for text, code in [("the answer is 42\n", 0), ("the answer is 43\n", 1)]:
        cell.outputs[0].text = text
        path = tmp_path / f"book{code}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
        result = nbval(path)
        assert result.returncode == code, result.stdout
    assert re.search("43.*42|42.*43", result.stdout, re.S)
