"""First use: make .venv and install the course into it.  Standard library only.

The order of the steps is what makes an interrupted install harmless: the stamp is
removed before anything changes and written after everything is done (see stamp.py);
in between, whatever is found is repaired first and then completed by pip, which
leaves alone what is already right.
"""

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from course_tools.cli import stamp
from course_tools.cli.pip_progress import Progress, announce, cause, failure
from course_tools.cli.repair import forget_half_installed, is_whole, site_packages
from course_tools.errors import CommandError

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
    except (BlockingIOError, PermissionError):
        return False
    except (
        OSError
    ):  # a network disk without locks: better to go on than to wait for ever
        return True
    return True


def install(root: Path, cpu_torch: str | None, lock) -> None:
    """All steps, each of which may find its work already done."""
    if not os.access(root, os.W_OK):
        raise CommandError(
            f"the folder {root} cannot be written; copy the course to one of your own"
        )
    folder = Path(stamp.venv_folder(root))
    if os.path.lexists(folder) and not folder.is_dir():
        raise CommandError(f"{folder} is in the way: it is no folder; move it away")
    Path(stamp.stamp_file(root)).unlink(missing_ok=True)
    announce(cpu_torch, brings_torch(root))
    progress = Progress(root)
    try:
        make_venv(root, progress)
        pip_install(root, course_command(root, cpu_torch), lock, progress)
        pip_install(root, texts_command(root), lock, progress)
        register_kernel(root, progress)
    except BaseException:
        progress.end_line()
        raise
    stamp.write(root)
    progress.done()


def brings_torch(root: Path) -> bool:
    """Whether this set-up is going to download PyTorch."""
    wanted = "torch==" in (root / "requirements.lock").read_text("utf-8")
    return wanted and not (site_packages(root) / "torch").is_dir()


def make_venv(root: Path, progress: Progress) -> None:
    """A virtual environment with pip in it; a broken one is repaired or made anew."""
    if not is_usable(root):
        progress.say("making .venv")
        make_anew(Path(stamp.venv_folder(root)))
    packages = site_packages(root)
    forget_half_installed(packages)
    if not any(map(is_whole, packages.glob("pip-*.dist-info"))):
        progress.say("installing pip")
        run([stamp.venv_python(root), "-I", "-m", "ensurepip", "--default-pip"])


def is_usable(root: Path) -> bool:
    """Whether .venv is complete up to its last file, and its Python starts."""
    python = stamp.venv_python(root)
    if not stamp.python_is_usable(root):
        return False
    if not os.path.exists(os.path.join(os.path.dirname(python), "activate")):
        return False
    try:
        run([python, "-I", "-c", ""])
    except CommandError:
        return False
    return True


def make_anew(folder: Path) -> None:
    """An empty virtual environment in place of whatever is there."""
    for module in ("venv", "ensurepip"):
        if not can_run(module):
            raise CommandError(
                f"this Python has no module {module} and cannot make .venv; on Debian "
                f"and Ubuntu: sudo apt install python3.{sys.version_info.minor}-venv"
            )
    empty(folder)
    # The base interpreter, because the running one may live in the .venv just removed.
    base = getattr(sys, "_base_executable", None) or sys.executable
    run([base, "-m", "venv", "--without-pip", str(folder)])


def empty(folder: Path) -> None:
    """Remove what is in the folder; itself it may be a link to a larger disk."""
    for path in folder.iterdir() if folder.exists() else []:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def can_run(module: str) -> bool:
    """Whether `python -m module` exists; Debian packs it apart from Python itself."""
    try:
        return importlib.util.find_spec(f"{module}.__main__") is not None
    except ImportError:
        return False


def run(command: list[str]) -> None:
    """Run a short step without a word; when it fails, its last words say why."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=clean_environment(),
        check=False,
    )
    if done.returncode != 0:
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise CommandError(f"cannot set up .venv: {cause(lines)}")


def clean_environment() -> dict[str, str]:
    """pip's own settings stay; those that would miss .venv go."""
    kept = {k: v for k, v in os.environ.items() if k not in MISPLACING}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def building(root: Path) -> dict[str, str]:
    """The locked setuptools builds packages too: a newer one may refuse old archives.

    An address, because pip would cut a path at its spaces; the second name is that of
    newer pips.
    """
    versions = (root / "requirements.lock").as_uri()
    return {"PIP_CONSTRAINT": versions, "PIP_BUILD_CONSTRAINT": versions}


def with_extras(root: Path) -> str:
    """The course and all of its extras, as pip writes it: /path[one,two]."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = ",".join(project.get("optional-dependencies", {}))
    return f"{root}[{extras}]" if extras else str(root)


def pip_command(root: Path, *options: str) -> list[str]:
    """Install something into .venv; pip's own settings are honoured."""
    return [
        *(stamp.venv_python(root), "-I", "-u", "-m", "pip", "install", "--no-user"),
        *("--progress-bar", "off", "--no-input", *options),
    ]


def course_command(root: Path, cpu_torch: str | None) -> list[str]:
    """Install the course with all extras, every version as in requirements.lock."""
    index = ["--extra-index-url", cpu_torch] if cpu_torch else []
    versions = str(root / "requirements.lock")
    return pip_command(root, "-e", with_extras(root), "-c", versions, *index)


def texts_command(root: Path) -> list[str]:
    """Install the texts; the old modules beside them are never run nor compiled."""
    alone = ("--no-deps", "--no-compile", "--use-pep517")
    return pip_command(root, *alone, "-r", str(root / "requirements-texts.txt"))


def pip_install(root: Path, command: list[str], lock, progress: Progress) -> None:
    """Run pip; its output goes to a log."""
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
            env=clean_environment() | building(root),
            **inherited,
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


def register_kernel(root: Path, progress: Progress) -> None:
    """Tell Jupyter which Python runs the notebooks: the one in .venv, by its full path.

    Widgets and nbgrader's parts of JupyterLab come with their packages.
    """
    if not (site_packages(root) / "ipykernel").is_dir():
        return
    progress.say("registering the kernel")
    python = stamp.venv_python(root)
    run([python, "-I", "-m", "ipykernel", "install", "--sys-prefix"])
