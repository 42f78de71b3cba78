"""The launcher `course`: real installs of a course in miniature (tiny_course.py)."""

import ast
import importlib.machinery
import importlib.util
import json
import os
import pty
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_course import MANY, TinyCourse, build_wheel

from course_lib import install_progress, repair

BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
FOLDER = "Übung für zwei"
OLD_PYTHONS = ["python2.7", "python3.6", "python3.8", "python3.10"]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    build_wheel(folder, "small", "1.0", files=2)
    build_wheel(folder, "small", "2.0", files=2)
    build_wheel(folder, "large", "1.0", files=MANY)
    return folder


@pytest.fixture
def fresh(tmp_path, project_root, wheels) -> TinyCourse:
    """Never started; in a folder whose name is a trial for quoting and encoding."""
    return TinyCourse(tmp_path / FOLDER, project_root, wheels)


@pytest.fixture
def fresh_elsewhere(tmp_path, project_root, wheels) -> TinyCourse:
    """Never started either, in one more folder."""
    return TinyCourse(tmp_path / "elsewhere", project_root, wheels)


@pytest.fixture(scope="module")
def ready(tmp_path_factory, project_root, wheels) -> TinyCourse:
    """Set up once by a real first start; tests that use it leave it as it is."""
    place = tmp_path_factory.mktemp("ready")
    course = TinyCourse(place / FOLDER, project_root, wheels)
    (place / "home").mkdir()
    # pip asks programs on the search path for their version; here, only the system's
    settings = {"HOME": str(place / "home"), "PATH": os.defpath, "XDG_CACHE_HOME": ""}
    done = course.run("setup", env=settings)
    assert done.returncode == 0, done.stderr
    (course.root / "first_words.txt").write_text(done.stdout)
    return course


@pytest.fixture
def copied(ready, tmp_path) -> TinyCourse:
    """Set up, and free to be changed."""
    return ready.copy(tmp_path / FOLDER)


@pytest.fixture
def bare(copied) -> TinyCourse:
    """A .venv with pip in it and nothing else yet."""
    copied.remove_packages()
    return copied


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def kill_all(process: subprocess.Popen) -> None:
    """As a power cut would: launcher and pip at once."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def assert_complete(course: TinyCourse) -> None:
    """Both packages are wholly there, and the course starts from them."""
    assert course.parts() == MANY
    code = "import large.part7, small, course_lib; print(large.part7.NUMBER)"
    python = course.root / ".venv/bin/python"
    answer = subprocess.run(
        [python, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "7\n"
    assert course.run("setup").returncode == 0


def one_line(done: subprocess.CompletedProcess) -> str:
    """The complaint, which must be one line that starts with the command's name."""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("course: ")
    assert done.returncode != 0
    return lines[0]


# --- first and later starts


@pytest.mark.slow
def test_first_use_installs_everything_and_later_uses_nothing(ready):
    assert_complete(ready)
    before = (ready.root / ".venv/install.log").stat()
    begin = time.perf_counter()
    done = ready.run("setup")
    seconds = time.perf_counter() - begin
    assert done.returncode == 0
    assert "The course is ready" in done.stdout
    assert "Setting up" not in done.stdout
    assert (ready.root / ".venv/install.log").stat().st_mtime == before.st_mtime
    assert seconds < 2  # an install takes five and more


@pytest.mark.slow
def test_start_adds_less_than_a_tenth_of_a_second(ready):
    """Processor time, because the clock also counts what else the machine does."""

    def seconds(command: list[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return sum(after[:2]) - sum(before[:2])  # in the program and in the system

    python = str(ready.root / ".venv/bin/python")
    direct = [python, "-P", "-m", "course_lib.cli", "--help"]
    through = ready.command("--help")
    extra = min(map(seconds, [through] * 7)) - min(map(seconds, [direct] * 7))
    assert extra < 0.1, f"the launcher adds {extra:.3f} s"


@pytest.mark.slow
def test_set_up_writes_nothing_outside_the_folder(ready):
    home = ready.root.parent / "home"
    assert {path.name for path in home.iterdir()} <= {".cache"}  # pip's downloads


@pytest.mark.slow
def test_changed_lock_installs_the_new_version(copied):
    for name in ("pyproject.toml", "requirements.lock", "tiny_backend.py"):
        path = copied.root / name
        path.write_text(path.read_text().replace("small==1.0", "small==2.0"))
    assert "Set up in" in copied.run("setup").stdout
    assert '"2.0"' in (copied.packages / "small/__init__.py").read_text()
    assert copied.pip_runs() == 2  # the first one was in the copied log


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


@pytest.mark.slow
def test_other_conda_environment_is_only_a_python(copied, fresh_elsewhere):
    """conda's base environment is active on many machines; it is left alone."""
    (copied.root / ".venv/conda-meta").mkdir()
    python = str(copied.root / ".venv/bin/python")
    done = fresh_elsewhere.run("doctor", python=python)
    assert "conda" not in done.stdout
    assert "not made yet" in done.stdout


# --- interrupted installs


@pytest.mark.slow
def test_killed_in_the_middle_of_a_package_it_repairs_and_completes(bare):
    process = bare.start("setup")
    wait_until(lambda: bare.parts() > 50)
    kill_all(process)
    half = bare.parts()
    assert half < MANY, "killed too late for this test to mean anything"
    assert not (bare.root / ".venv/course-stamp").exists()
    done = bare.run("setup")
    assert done.returncode == 0, done.stderr
    assert_complete(bare)


def test_package_is_whole_only_with_pips_own_record(wheels, tmp_path):
    """All files are there, but scripts and marks, which pip writes last, may not be."""
    with zipfile.ZipFile(wheels / "small-1.0-py3-none-any.whl") as archive:
        archive.extractall(tmp_path)
    info = tmp_path / "small-1.0.dist-info"
    assert not repair.is_whole(info)
    with open(info / "RECORD", "a") as record:
        record.write("small-1.0.dist-info/INSTALLER,,\nsmall/none.cpython-399.pyc,,\n")
    assert not repair.is_whole(info)
    (info / "INSTALLER").write_text("pip\n")
    assert repair.is_whole(info)  # compiled files do not count
    (tmp_path / "small/part0.py").unlink()
    assert not repair.is_whole(info)
    assert repair.forget_half_installed(tmp_path) == ["small-1.0.dist-info"]
    assert not info.exists()


@pytest.mark.slow
def test_package_whose_files_were_lost_is_installed_again(copied):
    """pip alone would call it installed: its METADATA is there."""
    (copied.packages / "large/part7.py").unlink()
    (copied.root / ".venv/course-stamp").unlink()
    assert copied.run("setup").returncode == 0
    assert_complete(copied)


@pytest.mark.slow
@pytest.mark.parametrize("seen", ["pyvenv.cfg", "lib/*/site-packages/pip/__init__.py"])
def test_killed_while_venv_is_made(fresh, seen):
    process = fresh.start("setup")
    wait_until(lambda: any((fresh.root / ".venv").glob(seen)))
    kill_all(process)
    assert not (fresh.root / ".venv/install.log").exists()
    done = fresh.run("setup")
    assert done.returncode == 0, done.stderr
    assert_complete(fresh)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_ends_pip_says_one_line_and_can_go_on(bare, number):
    process = bare.start("setup")
    wait_until(lambda: bare.parts() > 50)
    process.send_signal(number)  # to the launcher alone, which must take pip with it
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == (
        "course: interrupted; the same command goes on from where it stopped\n"
    )
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert bare.run("setup").returncode == 0
    assert_complete(bare)


@pytest.mark.slow
def test_second_start_waits_for_the_pip_of_a_killed_launcher(bare):
    process = bare.start("setup")
    wait_until(lambda: bare.parts() > 50)
    process.kill()
    process.communicate()
    done = bare.run("setup")
    assert done.returncode == 0, done.stderr
    assert "waiting for it" in done.stdout
    assert_complete(bare)


@pytest.mark.slow
def test_two_starts_at_once_install_once(bare):
    first, second = bare.start("setup"), bare.start("setup")
    outputs = [process.communicate(timeout=120) for process in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0], outputs
    assert sum("waiting for it" in out for out, _ in outputs) == 1
    assert bare.pip_runs() == 1
    assert_complete(bare)


# --- what one sees


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
    assert any("of 3)" in part for part in moving)
    # all that moves is one line
    first, _, set_up, ready_in = text.strip().replace("\r\n", "\n").split("\n")
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
    seen = [item for item in map(install_progress.news, lines) if item]
    assert {"small", "large"} <= {name for stage, name in seen if stage == "collecting"}
    assert seen[-1] == ("installing", "")


def test_downloads_are_shown_with_their_size():
    line = "  Downloading torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl (192.3 MB)"
    assert install_progress.news(line) == ("downloading", "torch (192.3 MB)")
    assert install_progress.news("Looking in links: file:///somewhere") is None


# --- what can go wrong


def test_wrong_words_and_help_install_nothing(fresh):
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
    (bare.root / "tiny_backend.py").write_text(
        (bare.root / "tiny_backend.py").read_text().replace("small==1.0", "nowhere==7")
    )
    done = bare.run("setup")
    assert done.returncode == 1
    *shown, last = done.stderr.splitlines()
    assert last.startswith("course: the install failed: a package has no fitting")
    assert "install.log" in last
    assert any("No matching distribution found for nowhere==7" in s for s in shown)
    assert "Traceback" not in done.stderr
    assert not (bare.root / ".venv/course-stamp").exists()


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
def test_cpu_torch_adds_its_index_and_says_what_it_saves(copied):
    (copied.root / ".venv/course-stamp").unlink()
    done = copied.run("setup", "--cpu-torch", "https://example.invalid/whl/cpu")
    assert done.returncode == 0, done.stderr
    assert "saves several GB of GPU packages" in done.stdout
    assert "GPU build is installed" not in done.stdout
    log = (copied.root / ".venv/install.log").read_text()
    assert log.count("--extra-index-url https://example.invalid/whl/cpu") == 1
    (copied.packages / "torch").mkdir()
    (copied.packages / "torch/__init__.py").touch()
    (copied.packages / "torch/version.py").write_text("cuda = '13.0'\n")
    late = copied.run("setup", "--cpu-torch", "https://example.invalid/whl/cpu")
    assert "GPU build is installed; to replace it, delete .venv" in late.stdout
    wrong = one_line(copied.run("setup", "--cpu-torch", "yes"))
    assert "'yes' is no address" in wrong


def test_file_in_place_of_venv_is_not_touched(fresh):
    (fresh.root / ".venv").write_text("mine")
    assert "is in the way" in one_line(fresh.run("setup"))
    assert (fresh.root / ".venv").read_text() == "mine"


def test_missing_lock_is_one_line(fresh):
    (fresh.root / "requirements.lock").unlink()
    assert "requirements.lock" in one_line(fresh.run("setup"))


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
    "name", ["course", "course_lib/__init__.py", "course_lib/stamp.py"]
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
