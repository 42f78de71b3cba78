"""Fixtures and helpers for the tests of the launcher; see tiny_course.py."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_course import MANY, WHEELS, TinyCourse, build_wheel

FOLDER = "Übung für zwei"


@pytest.fixture(scope="session")
def wheels(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    for wheel, files in WHEELS.items():
        build_wheel(folder, *wheel.split("-"), files=files)
    return folder


@pytest.fixture
def fresh(tmp_path, project_root, wheels) -> TinyCourse:
    """Never started; in a folder whose name is a trial for quoting and encoding."""
    return TinyCourse(tmp_path / FOLDER, project_root, wheels)


@pytest.fixture
def fresh_elsewhere(tmp_path, project_root, wheels) -> TinyCourse:
    """Never started either, in one more folder."""
    return TinyCourse(tmp_path / "elsewhere", project_root, wheels)


@pytest.fixture(scope="session")
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


def wait_until(condition: Callable[[], bool], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def kill_all(process: subprocess.Popen) -> None:
    """As a power cut would: launcher and pip at once."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def assert_complete(course: TinyCourse) -> None:
    """The student's packages are wholly there, and the course starts from them."""
    assert course.modules() == MANY
    code = (
        "import large.part7, small, poems, torch, course_lib; print(large.part7.NUMBER)"
    )
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
