"""`check` where nothing can be forked: the same judge, in processes of their own."""

import subprocess
import sys
from pathlib import Path

import pytest
from tiny_set import answer, make_course

from course_tools.authoring import release
from course_tools.grading import check
from course_tools.grading.bridge import hand_over

SUPPORT = Path(__file__).resolve().parents[1] / "support"
WARNS = """import warnings


def square(x):
    warnings.warn("x is a number", stacklevel=2)
    return x * x
"""
ENDLESS = "def double(x):\n    while True:\n        pass"
ENDS = "import os\n\nos._exit(3)"
# runs in a process without what Windows lacks; starts others in such processes
PROGRAM = """
import sys
from pathlib import Path
from course_tools.authoring import release
from course_tools.grading.check import run_plainly
from course_tools.grading.run import variables

folder, course = sys.argv[1:]
variables.CODE = folder + ":" + variables.CODE
sys.exit(release.check("mini", root=Path(course), run=run_plainly))
"""


@pytest.fixture
def course(tmp_path):
    """A set with a right answer that warns, an endless loop and a sudden end."""
    folder = make_course(tmp_path)
    with (folder / "nbgrader_config.py").open("a") as file:
        file.write("\nc.Execute.timeout = 10\n")
    release.release([], folder)
    answer(folder, answer_double=ENDLESS, answer_square=WARNS, answer_halve=ENDS)
    return folder


def test_it_says_what_it_says_where_processes_are_forked(course, capsys):
    capsys.readouterr()
    assert release.check("mini", root=course, run=check.run_forked) == 1
    forked = capsys.readouterr().out
    assert "no answer within the time limit" in forked
    assert "square     3 / 3    passed" in forked, "a warning is not an error"
    assert "the process was stopped here" in forked
    assert release.check("mini", root=course, run=check.run_plainly) == 1
    assert capsys.readouterr().out == forked


def test_it_uses_nothing_that_only_linux_has(course, tmp_path):
    answer(course, answer_double="def double(x):\n    return 2 * x")
    surroundings = tmp_path / "surroundings"
    surroundings.mkdir()
    text = (SUPPORT / "no_linux.py").read_text("utf-8")
    (surroundings / "sitecustomize.py").write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(surroundings), str(course)],
        env={"PYTHONPATH": str(surroundings), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "double     5 / 5    passed" in done.stdout
    assert "square     3 / 3    passed" in done.stdout
    assert "the process was stopped here" in done.stdout


def test_who_does_not_know_the_secret_is_turned_away():
    listener = hand_over.listen()
    port = listener.getsockname()[1]
    stranger = hand_over.connect(port, "another")
    friend = hand_over.connect(port, "the secret")
    with hand_over.accept(listener, "the secret") as accepted:
        assert accepted.getpeername() == friend.getsockname()
    for connection in (stranger, friend, listener):
        connection.close()
