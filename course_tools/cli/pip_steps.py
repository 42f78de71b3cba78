"""How pip is called: which steps make a part of the course, and how each is run.

Every file that pip takes is checked against a hash in requirements/, with two
exceptions: the course itself, which is this folder, and PyTorch, whose build differs
from machine to machine, so that only its version is fixed.  Standard library only.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from course_tools.cli import stamp
from course_tools.cli.pip_progress import Progress, failure
from course_tools.cli.repair import site_packages
from course_tools.errors import CommandError

# Settings that would send packages to another place than .venv.
MISPLACING = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")

# A lock names every package, so nothing else may come along; packages that are built
# here are built by the setuptools of build.lock, not by one fetched for the occasion.
LOCKED = ("--require-hashes", "--no-deps", "--no-build-isolation", "--use-pep517")


def steps(root: Path, part: str, cpu_torch: str | None) -> Iterator[list[str]]:
    """What pip is asked for, one list of arguments after the other."""
    folder = root / "requirements"
    if part == "base":
        yield [*LOCKED, "-r", str(folder / "build.lock")]
        yield ["--no-deps", "--no-build-isolation", "-e", str(root)]
        return
    locks = ["student.lock", "texts.lock"] if part == "student" else [f"{part}.lock"]
    yield [*LOCKED, *(word for name in locks for word in ("-r", str(folder / name)))]
    if part == "student":  # torch comes last: what it needs is there by then
        yield ["-r", str(folder / "torch.txt"), *torch_source(cpu_torch)]


def torch_source(cpu_torch: str | None) -> list[str]:
    """Where PyTorch is looked for: wherever pip looks, or at the given index alone.

    Alone, because pip goes on without an index that it cannot reach and would then
    bring the gigabytes that were not wanted.
    """
    return ["--index-url", cpu_torch, "--no-deps"] if cpu_torch else []


def clean_environment() -> dict[str, str]:
    """pip's own settings stay; those that would miss .venv go."""
    kept = {k: v for k, v in os.environ.items() if k not in MISPLACING}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def pip_command(root: Path, arguments: list[str]) -> list[str]:
    """pip in .venv; it compiles nothing, because Python compiles what is used."""
    return [
        *(stamp.venv_python(root), "-I", "-u", "-m", "pip", "install", "--no-user"),
        *("--progress-bar", "off", "--no-input", "--no-compile"),
        *arguments,
    ]


def run_pip(root: Path, arguments: list[str], lock, progress: Progress) -> None:
    """One run of pip; its output goes to a log, and what it means to the terminal."""
    command = pip_command(root, arguments)
    log = Path(stamp.venv_folder(root)) / "install.log"
    with open(log, "ab") as stream:
        stream.write(f"\n$ {' '.join(command)}\n".encode())
        stream.flush()
        start = stream.tell()
        # pip inherits the lock: should this process be killed, nobody starts a second
        # pip while the first one still works.
        inherited = () if os.name == "nt" else (lock.fileno(),)
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=clean_environment(),
            pass_fds=inherited,
        )
    try:
        code = progress.follow(process, log, start, site_packages(root))
    except KeyboardInterrupt:
        stop(process)
        raise
    if code != 0:
        progress.end_line()
        raise CommandError(failure(log, start))


def stop(process: subprocess.Popen) -> None:
    """End pip: it tidies up after an interrupt, and is killed if it does not hurry."""
    if os.name != "nt":
        process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
