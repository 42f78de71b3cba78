"""The command line: its help, and what each command says to wrong input."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import complaint, course

from course_tools.cli import command_line, commands, parts, run_tests
from course_tools.errors import CommandError

# --- help and wrong arguments


def test_help_names_every_command_once_under_its_person():
    text = course("--help").stdout
    assert course().stdout == text
    assert course("help").stdout == text
    for person in ("Student:", "Lecturer:", "Instructor:"):
        assert person in text
    listed = re.findall(r"^  (\w+) ", text, re.MULTILINE)
    assert sorted(listed) == sorted(command_line.COMMANDS)
    assert max(map(len, text.splitlines())) <= 88
    students = text[text.index("Student:") : text.index("Lecturer:")]
    assert re.findall(r"^  (\w+) ", students, re.MULTILINE)[:2] == ["lab", "check"]


@pytest.mark.parametrize("name", command_line.COMMANDS)
def test_every_command_explains_itself(name):
    done = course(name, "--help")
    assert done.returncode == 0
    assert f"usage: course {name}" in done.stdout
    assert command_line.COMMANDS[name].summary[:30] in " ".join(done.stdout.split())


def test_help_needs_no_heavy_package():
    """Nothing but the standard library is loaded until a command does its work."""

    def loaded(code: str) -> set[str]:
        code += "; import sys; print(*{n.partition('.')[0] for n in sys.modules})"
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            capture_output=True,
            text=True,
            check=True,
        )
        return set(done.stdout.split())

    # some packages have Python load a module of theirs at every start
    more = loaded(
        "from course_tools.cli import command_line as c; c.help_text()"
    ) - loaded("pass")
    assert more - sys.stdlib_module_names == {"course_tools"}


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("tset", "did you mean 'test'?"),
        ("LAB", "did you mean 'lab'?"),
        ("docter", "did you mean 'doctor'?"),
        ("xyzzy", "see: ./course --help"),
        ("--lab", "did you mean 'lab'?"),
    ],
)
def test_unknown_command(word, hint):
    line = complaint(word, code=2)
    assert line == f"course: there is no command '{word}'; {hint}"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["lab", "--prot", "8888"], "does not know: --prot 8888"),
        (["lab", "--port", "many"], "invalid int value: 'many'"),
        (["lab", "ps1_rnn"], "does not know: ps1_rnn"),
        (["check"], "required: SET"),
        (["check", "ps1_rnn", "--notebook"], "--notebook: expected one argument"),
        (["tidy"], "required: NOTEBOOK"),
        (["find", "--most", "0", "gate"], "'0' is no number from 1 on"),
        (["book", "--frames", "-1"], "'-1' is no number from 0 on"),
        (["doctor", "--xml"], "does not know: --xml"),
        (["release", "--all"], "does not know: --all"),
        (["lock", "now"], "does not know: now"),
        (["setup", "--cpu-torch", "yes"], "'yes' is no address of a wheel index"),
        (["test", "--cpu-torch", "yes"], "'yes' is no address of a wheel index"),
        (["setup", "gradee"], "there is no part 'gradee' (student, grade, book, hub"),
    ],
)
def test_wrong_arguments(words, part):
    line = complaint(*words, code=2)
    assert part in line
    assert line.endswith(f"(see: ./course {words[0]} --help)")


def test_check_wants_an_existing_notebook():
    line = complaint("check", "ps1_rnn", "--notebook", "no/such.ipynb", code=2)
    assert line == "course: no such notebook: no/such.ipynb"


def test_tidy_wants_existing_notebooks(tmp_path):
    line = complaint("tidy", str(tmp_path / "none.ipynb"), code=2)
    assert line == f"course: no such notebook: {tmp_path / 'none.ipynb'}"


@pytest.mark.parametrize("command", ["check", "release"])
def test_unknown_problem_set(command):
    line = complaint(command, "ps0_nowhere", code=2)
    assert "there is no problem set 'ps0_nowhere'" in line


def test_errors_of_commands_become_one_line_with_their_code(capsys, monkeypatch):
    def broken(arguments):
        raise CommandError("the reason", code=7)

    table = {
        **command_line.COMMANDS,
        "setup": command_line.COMMANDS["setup"]._replace(run=broken),
    }
    monkeypatch.setattr(command_line, "COMMANDS", table)
    assert command_line.run(command_line.parse(["setup"])) == 7
    assert capsys.readouterr().err == "course: the reason\n"


def test_terminal_without_unicode_is_no_reason_to_fail():
    done = course("--help", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "usage: ./course COMMAND ?" in done.stdout


# --- which parts a command needs


def test_commands_need_the_student_part_and_some_more():
    assert parts.NEEDED.keys() <= command_line.COMMANDS.keys()
    assert parts.needed(["lab"]) == parts.needed([]) == ("base", "student")
    assert parts.needed(["grade", "ps1"]) == ("base", "student", "grade")
    assert parts.needed(["setup"]) == parts.needed(["check", "grade"]) == parts.STUDENT
    assert parts.needed(["setup", "grade"]) == parts.needed(["export"])
    assert parts.needed(["setup", "test"]) == parts.needed(["test", "-x"])
    assert parts.needed(["setup", "--all"]) == tuple(parts.FILES)
    assert parts.CHOICES.keys() == parts.FILES.keys() - {"base"}


# --- test


def test_workers_by_default_and_not_when_chosen():
    some = ["-n", "2", "--dist", "loadfile"]
    chosen = run_tests.pytest_arguments
    assert chosen([], fast=False, cores=2) == some
    words = ["-x", "-k", "rnn"]
    assert chosen(words, fast=False, cores=4) == [*some, *words]
    assert chosen(["--color=no"], fast=False, cores=2) == [*some, "--color=no"]
    assert chosen([], fast=True, cores=2)[:2] == ["-n", "2"]
    assert chosen([], fast=False, cores=1) == []
    for alone in (["-n", "4"], ["-n0"], ["--pdb"], ["--co"], ["--dist=each"]):
        assert chosen(alone, fast=False, cores=2) == alone


def test_one_named_test_or_file_runs_without_workers():
    here = os.path.abspath(__file__)
    named = [f"{here}::test_x"]
    assert run_tests.pytest_arguments(named, fast=False, cores=2) == named
    assert run_tests.pytest_arguments([here], fast=False, cores=2) == [here]
    folder = str(Path(here).parent)
    assert run_tests.pytest_arguments([folder], fast=False, cores=2)[-1] == folder
    assert "-n" in run_tests.pytest_arguments([folder], fast=False, cores=2)


def test_fast_leaves_out_slow_tests_on_top_of_a_choice():
    assert run_tests.without_slow(["-x"]) == ["-x", "-m", "not slow"]
    chosen = run_tests.without_slow(["-m", "needs", "-x"])
    assert chosen == ["-m", "(needs) and not slow", "-x"]


def test_paths_are_meant_from_where_one_stands(tmp_path, monkeypatch):
    (tmp_path / "test_a.py").touch()
    monkeypatch.chdir(tmp_path)
    assert run_tests.absolute("test_a.py::test_b") == f"{tmp_path}/test_a.py::test_b"
    assert run_tests.absolute("test_c.py") == "test_c.py"
    assert run_tests.absolute("-x") == "-x"


TRIAL = """\
import os
import pytest

def test_good():
    assert [os.environ[name] for name in {names}] == {values}

@pytest.mark.slow
def test_bad():
    assert False
"""


@pytest.mark.slow
def test_test_runs_pytest_pins_arithmetic_and_returns_its_code(tmp_path):
    pins = dict(commands.PINS)
    text = TRIAL.format(names=list(pins), values=list(pins.values()))
    (tmp_path / "test_trial.py").write_text(text)
    unset = {k: v for k, v in os.environ.items() if k not in pins}
    fast = course("test", "--fast", "test_trial.py", cwd=tmp_path, env=unset)
    assert fast.returncode == 0, fast.stdout
    assert re.search(r"=+ 1 passed, 1 deselected.* in ", fast.stdout.splitlines()[-1])
    full = course("test", "test_trial.py", cwd=tmp_path, env=unset)
    assert full.returncode == 1
    assert re.search(r"=+ 1 failed, 1 passed.* in ", full.stdout.splitlines()[-1])
    other = {**unset, "OMP_NUM_THREADS": "3"}
    kept = course("test", "--fast", "test_trial.py", cwd=tmp_path, env=other)
    assert kept.returncode == 1
    assert "'3'" in kept.stdout


@pytest.mark.parametrize("word", ["doctor", "--help"])
def test_a_reader_who_has_seen_enough_is_no_error(word):
    """./course doctor | head -0: the pipe is closed before anything is written."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "course_tools", word],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_missing_program_skips_by_name_and_says_how_to_get_it(tmp_path, project_root):
    trial = "import pytest\n\n@pytest.mark.needs('bwrap')\ndef test_a(): assert False\n"
    (tmp_path / "test_trial.py").write_text(trial)
    (tmp_path / "conftest.py").write_text(
        (project_root / "tests/conftest.py").read_text("utf-8")
    )
    support = os.pathsep.join(map(str, [project_root / "tests/support", *sys.path]))
    nothing = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": support}
    done = course("test", "-rs", "test_trial.py", cwd=tmp_path, env=nothing)
    assert done.returncode == 0, done.stdout
    assert "1 skipped" in done.stdout
    assert "bwrap is not installed" in done.stdout
    assert "apt install bubblewrap" in done.stdout


def test_a_set_up_that_mends_starts_over_with_the_same_arguments():
    words = ["grade", "--cpu-torch=https://example.org/cpu"]
    arguments = command_line.parse(["setup", *words])
    assert commands.given_to_setup(arguments) == words
    assert commands.given_to_setup(command_line.parse(["setup", "--all"])) == ["--all"]


@pytest.mark.parametrize("name", ["grade", "book", "hub", "test"])
def test_setup_of_a_part_brings_all_that_its_command_needs(name):
    """Or a command would install once more on a machine that was set up for it."""
    assert set(parts.needed([name])) == set(parts.needed(["setup", name]))
