"""First use: make .venv and install the course into it.  Standard library only.

The order of the steps is what makes an interrupted install harmless: the stamp is
removed before anything changes and written after everything is done (see stamp.py);
in between, whatever is found is repaired first and then completed by pip, which
leaves alone what is already right.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from course_lib import stamp
from course_lib.errors import CommandError
from course_lib.install_progress import Progress, reason
from course_lib.repair import forget_half_installed, is_whole, site_packages

# Settings that would send packages to another place than .venv.
MISPLACING = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")


def set_up(root: str, cpu_torch: str | None = None) -> str:
    """Make or complete .venv; returns its Python."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with only_one(root) as lock:
            if not stamp.is_current(root):
                install(Path(root), cpu_torch, lock)
    except KeyboardInterrupt:
        line = "interrupted; the same command goes on from where it stopped"
        raise CommandError(line, code=130) from None
    except OSError as error:
        raise CommandError(f"cannot set up .venv: {error}") from None
    return stamp.venv_python(root)


@contextlib.contextmanager
def only_one(root: str):
    """Let one set-up run at a time in this folder; a second one waits for the first.

    The lock is held on the launcher file itself: the system frees it when the process
    ends, however it ends, so there is no stale lock and no file to leave behind.
    """
    launcher = os.path.join(root, "course")
    writable = os.access(launcher, os.W_OK)
    with open(launcher, "r+b" if writable else "rb") as stream:
        told = False
        while not try_lock(stream):
            if not told:
                print("Another start is installing here; waiting for it …", flush=True)
                told = True
            time.sleep(0.2)
        yield stream


def try_lock(stream) -> bool:
    """Take the lock if nobody holds it."""
    try:
        if os.name == "nt":
            import msvcrt

            stream.seek(1 << 30)  # a byte past the end: locking it disturbs no reader
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def install(root: Path, cpu_torch: str | None, lock) -> None:
    """All steps, each of which may find its work already done."""
    if not os.access(root, os.W_OK):
        raise CommandError(
            f"the folder {root} cannot be written; copy the course to one of your own"
        )
    Path(stamp.stamp_file(root)).unlink(missing_ok=True)
    progress = Progress(root, cpu_torch)
    try:
        make_venv(root, progress)
        pip_install(root, cpu_torch, lock, progress)
        register_kernel(root, progress)
    except BaseException:
        progress.end_line()
        raise
    stamp.write(root)
    progress.done()


def make_venv(root: Path, progress: Progress) -> None:
    """A virtual environment with pip in it; a broken one is repaired or made anew."""
    folder, python = Path(stamp.venv_folder(root)), stamp.venv_python(root)
    if stamp.python_is_usable(root) and succeeds(python, "-c", ""):
        forget_half_installed(site_packages(root))
        if any(map(is_whole, site_packages(root).glob("pip-*.dist-info"))):
            return
        progress.say("repairing .venv")
        if succeeds(python, "-m", "ensurepip"):
            return
    progress.say("making .venv")
    if folder.is_symlink() or folder.is_file():
        raise CommandError(f"{folder} is in the way: it is no folder; move it away")
    if folder.exists():
        shutil.rmtree(folder)
    # The base interpreter, because the running one may live in the .venv just removed.
    base = getattr(sys, "_base_executable", None) or sys.executable
    made = run([base, "-m", "venv", str(folder)])
    if made.returncode != 0:
        raise CommandError(venv_reason(made.stdout))


def run(command: list[str]) -> subprocess.CompletedProcess:
    """Run a step to its end, without a word; its output is kept for an error line."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=clean_environment(),
        check=False,
    )


def succeeds(python: str, *words: str) -> bool:
    """Whether .venv's Python can do this."""
    try:
        return run([python, "-I", *words]).returncode == 0
    except OSError:
        return False


def clean_environment() -> dict[str, str]:
    """pip's own settings stay; those that would miss .venv go."""
    kept = {k: v for k, v in os.environ.items() if k not in MISPLACING}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def venv_reason(output: str) -> str:
    """Why Python could not make a virtual environment, and what to do about it."""
    if "ensurepip" in output or "No module named venv" in output:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return (
            "this Python cannot make virtual environments (no venv or ensurepip); "
            f"on Debian and Ubuntu: sudo apt install python{version}-venv"
        )
    lines = [line for line in output.splitlines() if line.strip()]
    return f"cannot make .venv: {lines[-1] if lines else 'no reason given'}"


def with_extras(root: Path) -> str:
    """The course and all of its extras, as pip writes it: /path[one,two]."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = ",".join(project.get("optional-dependencies", {}))
    return f"{root}[{extras}]" if extras else str(root)


def pip_command(root: Path, *options: str) -> list[str]:
    """Install the course with all extras; pip's own settings are honoured."""
    return [
        *(stamp.venv_python(root), "-I", "-u", "-m", "pip", "install", "--no-user"),
        *("--progress-bar", "off", "--no-input", "-e", with_extras(root)),
        *options,
    ]


def pip_install(root: Path, cpu_torch: str | None, lock, progress: Progress) -> None:
    """Run pip with every version as in requirements.lock; its output goes to a log."""
    index = ["--extra-index-url", cpu_torch] if cpu_torch else []
    command = pip_command(root, "-c", str(root / "requirements.lock"), *index)
    log = Path(stamp.venv_folder(root)) / "install.log"
    with open(log, "ab") as stream:
        stream.write(f"\n$ {' '.join(command)}\n".encode())
        stream.flush()
        start = stream.tell()
        # pip inherits the lock: should this process be killed, nobody starts a second
        # pip while the first one still works.
        inherited = {} if os.name == "nt" else {"pass_fds": (lock.fileno(),)}
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=clean_environment(),
            **inherited,
        )
    try:
        code = progress.follow(process, log, start, site_packages(root))
    except KeyboardInterrupt:
        stop(process)
        raise
    if code != 0:
        progress.end_line()
        raise CommandError(reason(log, start))


def stop(process: subprocess.Popen) -> None:
    """End pip: it tidies up after an interrupt, and is killed if it does not hurry."""
    if os.name != "nt":
        process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def register_kernel(root: Path, progress: Progress) -> None:
    """Tell Jupyter which Python runs the notebooks: the one in .venv, by its full path.

    Widgets and nbgrader's parts of JupyterLab come with their packages.
    """
    if not (site_packages(root) / "ipykernel").is_dir():
        return
    progress.say("registering the kernel")
    python = stamp.venv_python(root)
    done = run([python, "-I", "-m", "ipykernel", "install", "--sys-prefix"])
    if done.returncode != 0:
        raise CommandError(f"cannot register the kernel: {done.stdout.strip()[-200:]}")
