"""First use: make .venv and install what a command needs.  Standard library only.

The order of the steps is what makes an interrupted install harmless: the stamp of a
part is removed before anything changes and written after everything is done (see
stamp.py); in between, whatever is found is repaired first and then completed by pip,
which leaves alone what is already right.  Parts that are complete stay usable while
another one is added.
"""

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from course_tools.cli import first_imports, stamp
from course_tools.cli.pip_progress import Progress, announce, cause
from course_tools.cli.pip_steps import clean_environment, run_pip, steps
from course_tools.cli.repair import forget_half_installed, is_whole, site_packages
from course_tools.errors import CommandError


def set_up(root: str, needed: tuple[str, ...], cpu_torch: str | None = None) -> str:
    """Make .venv or add the parts that are missing there; returns its Python."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with only_one(root) as lock:
            if not stamp.is_current(root, needed):
                install(Path(root), needed, cpu_torch, lock)
    except KeyboardInterrupt:
        line = "interrupted; the same command goes on from where it stopped"
        raise CommandError(line, code=130) from None
    except OSError as error:
        raise CommandError(f"cannot set up .venv: {error}") from None
    return stamp.venv_python(root)


@contextlib.contextmanager
def only_one(root: str):
    """Let one set-up run at a time in this folder; a second one waits for the first.

    The lock is held on a file of the course: the system frees it when the process
    ends, however it ends, so there is no stale lock and no file to leave behind.  Linux
    starts no program that is open for writing; Windows replaces no file that is open,
    and pyproject.toml comes anew with every update.
    """
    path = os.path.join(root, "course" if os.name == "nt" else "pyproject.toml")
    writable = os.access(path, os.W_OK)
    with open(path, "r+b" if writable else "rb") as stream:
        waiting = False
        while not try_lock(stream):
            if not waiting:
                print("Another start is installing here; waiting for it …", flush=True)
                waiting = True
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


def install(root: Path, needed: tuple[str, ...], cpu_torch: str | None, lock) -> None:
    """All steps, each of which may find its work already done."""
    if not os.access(root, os.W_OK):
        raise CommandError(
            f"the folder {root} cannot be written; copy the course to one of your own"
        )
    folder = Path(stamp.venv_folder(root))
    if os.path.lexists(folder) and not folder.is_dir():
        raise CommandError(f"{folder} is in the way: it is no folder; move it away")
    missing = [part for part in needed if not stamp.is_stamped(root, part)]
    announce(missing, cpu_torch, brings_torch(root, missing))
    progress = Progress(root, missing)
    try:
        make_venv(root, progress)
        for part in needed:
            if not stamp.is_stamped(root, part):
                install_part(root, part, cpu_torch, lock, progress)
    except BaseException:
        progress.end_line()
        raise
    progress.done()


def install_part(root: Path, part: str, cpu_torch: str | None, lock, progress) -> None:
    """One part, from its first package to its stamp."""
    Path(stamp.stamp_file(root, part)).unlink(missing_ok=True)
    for arguments in steps(root, part, cpu_torch):
        run_pip(root, arguments, lock, progress)
    if part == "student":
        register_kernel(root, progress)
    if modules := first_imports.MODULES.get(part):
        progress.say("making the first start quick")
        first_imports.compile_by_use(stamp.venv_python(root), modules)
    if part == "test":
        progress.say("compiling all packages")
        first_imports.compile_all(stamp.venv_python(root), site_packages(root))
    stamp.write(root, part)


def brings_torch(root: Path, missing: list[str]) -> bool:
    """Whether this set-up is going to download PyTorch."""
    return "student" in missing and not (site_packages(root) / "torch").is_dir()


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


def register_kernel(root: Path, progress: Progress) -> None:
    """Tell Jupyter which Python runs the notebooks: the one in .venv, by its full path.

    Widgets and nbgrader's parts of JupyterLab come with their packages.
    """
    if not (site_packages(root) / "ipykernel").is_dir():
        return
    progress.say("registering the kernel")
    python = stamp.venv_python(root)
    run([python, "-I", "-m", "ipykernel", "install", "--sys-prefix"])
