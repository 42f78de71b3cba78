"""The launcher `course` where something is wrong: arguments, places, disks, Pythons."""

import ast
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from launcher_fixtures import one_line
from tiny_course import TinyCourse

from course_tools.cli import commands

pytest_plugins = ["launcher_fixtures"]

BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
OLD_PYTHONS = ["python2.7", "python3.6", "python3.8", "python3.10"]


def test_wrong_arguments_and_help_install_nothing(fresh):
    line = one_line(fresh.run("labb"))
    assert line == "course: there is no command 'labb'; did you mean 'lab'?"
    assert "SET" in one_line(fresh.run("check"))
    assert "Student" in fresh.run("--help").stdout
    assert fresh.run().stdout == fresh.run("--help").stdout
    assert fresh.run("lab", "--help").returncode == 0
    plain = fresh.run("--help", env={"PYTHONIOENCODING": "ascii"})
    assert "COMMAND ?" in plain.stdout
    assert not (fresh.root / ".venv").exists()


def test_doctor_works_before_first_use_and_installs_nothing(fresh):
    done = fresh.run("doctor")
    assert done.returncode == 1
    assert "not made yet" in done.stdout
    assert "get it: ./course setup" in done.stdout
    assert not (fresh.root / ".venv").exists()


@pytest.mark.slow
def test_missing_package_shows_pips_words_and_one_sentence(bare):
    lock = bare.root / "requirements/student.lock"
    lock.write_text(f"{lock.read_text()}nowhere==7 --hash=sha256:{'0' * 64}\n")
    done = bare.run("setup")
    assert done.returncode == 1
    *shown, last = done.stderr.splitlines()
    assert last.startswith("course: the install failed: a package has no fitting")
    assert "install.log" in last
    assert any("No matching distribution found for nowhere==7" in s for s in shown)
    assert "Traceback" not in done.stderr
    assert bare.stamps() == ["base"]


@pytest.mark.slow
def test_package_with_another_hash_is_refused(bare):
    """An index that hands out other files than those that were locked."""
    lock = bare.root / "requirements/student.lock"
    text, hashes = lock.read_text(), re.findall("sha256:(.*)", lock.read_text())
    lock.write_text(text.replace(hashes[1], "7" * 64))
    done = bare.run("setup")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("course: the install failed: a package is not the one that")
    assert "(other hash), so it was refused" in last
    assert bare.stamps() == ["base"]
    assert not (bare.packages / "small").exists()
    lock.write_text(re.sub(r" \\\n.*", "", text))  # no hashes at all
    assert "so it was refused" in bare.run("setup").stderr.splitlines()[-1]


@pytest.mark.slow
def test_unreachable_index_is_named_as_such(bare):
    index = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    shutil.copytree(bare.wheels, bare.root / "some")
    (bare.root / "some" / "large-1.0-py3-none-any.whl").unlink()
    links = {"PIP_FIND_LINKS": (bare.root / "some").as_uri(), "PIP_RETRIES": "1"}
    done = bare.run("setup", env=index | links)
    assert done.returncode == 1
    assert "cannot be reached; is this machine online?" in done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_cpu_torch_comes_from_its_own_index_and_nowhere_else(bare):
    done = bare.run("setup", "--cpu-torch")
    assert done.returncode == 0, done.stderr
    assert f"CPU build comes from {commands.CPU_WHEELS}" in done.stdout
    assert "saves several GB of GPU packages" in done.stdout
    log = (bare.root / ".venv/install.log").read_text()
    assert log.count(f"torch.txt --index-url {commands.CPU_WHEELS} --no-deps") == 1
    assert log.count("--index-url") == 1
    assert "GPU build is installed" not in bare.run("setup", "--cpu-torch").stdout
    (bare.packages / "torch/version.py").write_text("cuda = '13.0'\n")
    late = bare.run("setup", "--cpu-torch", "https://example.invalid/whl/cpu")
    assert "GPU build is installed; to replace it, delete .venv" in late.stdout
    wrong = one_line(bare.run("setup", "--cpu-torch", "yes"))
    assert "'yes' is no address" in wrong


@pytest.mark.slow
def test_cpu_torch_from_a_given_index(bare):
    address = "https://example.invalid/whl/cpu"
    assert bare.run("setup", "--cpu-torch", address).returncode == 0
    log = (bare.root / ".venv/install.log").read_text()
    assert log.count(f"--index-url {address}") == 1


def test_file_in_place_of_venv_is_not_touched(fresh):
    (fresh.root / ".venv").write_text("mine")
    assert "is in the way" in one_line(fresh.run("setup"))
    assert (fresh.root / ".venv").read_text() == "mine"


def test_missing_lock_is_one_line(fresh):
    (fresh.root / "requirements/student.lock").unlink()
    assert "student.lock" in one_line(fresh.run("setup"))


def test_unwritable_folder_is_one_line(project_root, wheels):
    place = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    try:
        course = TinyCourse(place / "course", project_root, wheels)
        place.chmod(0o755)
        course.root.chmod(0o555)
        settings = {}
        if os.geteuid() == 0:  # root may write anywhere, so ask somebody else
            settings = {"user": 65534, "python": python_for_everybody()}
        line = one_line(course.run("setup", **settings))
        assert line == (
            f"course: the folder {course.root} cannot be written; "
            "copy the course to one of your own"
        )
    finally:
        course.root.chmod(0o755)
        shutil.rmtree(place)


def python_for_everybody() -> str:
    """A Python that another user of this machine may start."""
    for python in [BASE_PYTHON, "/usr/bin/python3"]:
        try:
            subprocess.run(
                [python, "-c", "import sys; assert sys.version_info >= (3, 11)"],
                user=65534,
                check=True,
                capture_output=True,
            )
        except (OSError, subprocess.CalledProcessError):
            continue
        return python
    pytest.skip("no Python 3.11 here that a user other than root can start")


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_python_without_venv_module(fresh, module):
    """As on Debian without python3-venv: the module's folder is hidden."""
    place = importlib.util.find_spec(module).submodule_search_locations[0]
    hide = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", place]
    done = subprocess.run(
        [*hide, *fresh.command("setup")],
        capture_output=True,
        text=True,
        env=fresh.environment(),
        check=False,
    )
    assert f"has no module {module}" in one_line(done)
    assert "-venv" in done.stderr
    assert not (fresh.root / ".venv").exists()


@pytest.mark.slow
@pytest.mark.needs("bwrap")
def test_full_disk_is_named_as_such(fresh):
    """The folder is put on a disk of 5 MB, which pip alone would fill."""
    small_disk = [
        "bwrap",
        "--dev-bind",
        "/",
        "/",
        "--size",
        "5000000",
        "--tmpfs",
        "/mnt",
    ]
    copy_and_run = 'cp -r "$1" /mnt/c && exec "$2" /mnt/c/course setup'
    words = ["sh", "-c", copy_and_run, "sh", str(fresh.root), BASE_PYTHON]
    done = subprocess.run(
        [*small_disk, *words],
        capture_output=True,
        text=True,
        env=fresh.environment(),
        check=False,
    )
    assert "the disk is full" in one_line(done)


# --- old Pythons


@pytest.fixture(scope="module")
def launcher(project_root):
    """The launcher as a module."""
    loader = importlib.machinery.SourceFileLoader(
        "launcher", str(project_root / "course")
    )
    spec = importlib.util.spec_from_loader("launcher", loader)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, kept = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
    return module


def test_version_check(launcher):
    assert launcher.too_old((3, 11, 0), "python3") is None
    assert launcher.too_old((3, 14, 1), "python3") is None
    assert launcher.too_old((4, 0, 0), "python3") is None
    line = launcher.too_old((3, 10, 13), "/usr/bin/python3")
    assert "needs Python 3.11 or newer" in line
    assert "/usr/bin/python3 is Python 3.10.13" in line
    assert launcher.too_old((2, 7, 18), "python")


@pytest.mark.parametrize(
    "name",
    [
        "course",
        "course_tools/__init__.py",
        "course_tools/cli/__init__.py",
        "course_tools/cli/parts.py",
        "course_tools/cli/stamp.py",
    ],
)
def test_files_that_old_pythons_read_parse_there(project_root, name):
    source = (project_root / name).read_text("utf-8")
    ast.parse(source, feature_version=(3, 6))
    assert "match " not in source.split('"""', 2)[-1]


def find_python(name: str) -> str:
    """On the search path, or among the versions that pyenv keeps."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    kept = versions.glob(f"{name.removeprefix('python')}.*/bin/{name}")
    for python in filter(None, [*map(str, kept), shutil.which(name)]):
        done = subprocess.run([python, "-c", ""], capture_output=True, check=False)
        if done.returncode == 0:
            return python
    pytest.skip(f"{name} is not installed, so it cannot be tried")


@pytest.mark.parametrize("name", OLD_PYTHONS)
def test_old_python_says_that_it_is_too_old(fresh, name):
    done = fresh.run("lab", python=find_python(name))
    assert "needs Python 3.11 or newer" in one_line(done)
    assert done.returncode == 1
    assert not (fresh.root / ".venv").exists()


@pytest.mark.slow
def test_old_python_may_start_what_a_newer_one_has_set_up(ready):
    done = ready.run("setup", python=find_python("python3.8"))
    assert done.returncode == 0, done.stderr
