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

LOG = "install.log"
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
        raise CommandError(
            "interrupted; the same command goes on from where it stopped"
        ) from None
    except OSError as error:
        raise CommandError(f"cannot set up {root}/.venv: {error}") from None
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
    Path(stamp.stamp_file(root)).unlink(missing_ok=True)
    progress = Progress(root)
    make_venv(root, progress)
    repair(root)
    pip_install(root, cpu_torch, lock, progress)
    register_kernel(root, progress)
    stamp.write(root)
    progress.done()


def quiet_environment() -> dict[str, str]:
    """pip's own settings stay; those that would miss .venv go."""
    kept = {k: v for k, v in os.environ.items() if k not in MISPLACING}
    return {**kept, "PYTHONUNBUFFERED": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def works(python: str, *words: str) -> bool:
    """Whether this command of .venv's Python succeeds."""
    if not os.path.exists(python):
        return False
    command = [python, "-I", *words]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def make_venv(root: Path, progress: Progress) -> None:
    """A virtual environment with pip in it; a broken one is made anew."""
    folder, python = Path(stamp.venv_folder(root)), stamp.venv_python(root)
    whole = stamp.python_is_usable(root) and works(python, "-c", "")
    if whole and (works(python, "-m", "pip", "--version")):
        return
    if whole and works(python, "-m", "ensurepip", "--upgrade"):
        return
    progress.say("making .venv")
    if folder.is_symlink() or folder.is_file():
        raise CommandError(f"{folder} is in the way: it is no folder; move it away")
    if folder.exists():
        shutil.rmtree(folder)
    # The base interpreter, because the running one may live in the .venv just removed.
    base = getattr(sys, "_base_executable", None) or sys.executable
    made = subprocess.run(
        [base, "-m", "venv", str(folder)],
        capture_output=True,
        text=True,
        env=quiet_environment(),
        check=False,
    )
    if made.returncode != 0:
        raise CommandError(venv_reason(made.stdout + made.stderr))


def venv_reason(output: str) -> str:
    """Why Python could not make a virtual environment, and what to do."""
    if "ensurepip" in output or "No module named venv" in output:
        version = "{}.{}".format(*sys.version_info)
        return (
            f"this Python has no venv module; on Debian and Ubuntu: "
            f"sudo apt install python{version}-venv"
        )
    lines = [line for line in output.splitlines() if line.strip()]
    return f"cannot make .venv: {lines[-1] if lines else 'no reason given'}"


def site_packages(root: Path) -> Path:
    """Where .venv keeps its packages."""
    folder = Path(stamp.venv_folder(root))
    if os.name == "nt":
        return folder / "Lib" / "site-packages"
    return folder / "lib" / f"python{stamp.venv_version(root)}" / "site-packages"


def repair(root: Path) -> None:
    """Forget packages that are only half there, so that pip installs them again.

    pip believes a package's METADATA, which is on disk before all of its files are.
    The list of files, RECORD, names pip's own mark INSTALLER only when all is done.
    """
    packages = site_packages(root)
    for info in packages.glob("*.dist-info"):
        if not is_whole(info):
            shutil.rmtree(info)
    for left_over in packages.glob("~*"):  # what pip moved aside before an upgrade
        shutil.rmtree(left_over, ignore_errors=True)


def is_whole(info: Path) -> bool:
    """Whether every file that the package's RECORD lists is on disk."""
    try:
        text = (info / "RECORD").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    names = [line.rsplit(",", 2)[0].strip('"') for line in text.splitlines() if line]
    return f"{info.name}/INSTALLER" in names and all(
        os.path.exists(info.parent / name)
        for name in names
        if not name.endswith(".pyc")  # compiled again when missing
    )


def pip_install(root: Path, cpu_torch: str | None, lock, progress: Progress) -> None:
    """Install the course with all extras, every version as in requirements.lock."""
    command = [
        *(stamp.venv_python(root), "-I", "-m", "pip", "install", "--no-user"),
        *("--progress-bar", "off", "--no-input"),
        *("-c", str(root / "requirements.lock"), "-e", with_extras(root)),
    ]
    if cpu_torch:
        command += ["--extra-index-url", cpu_torch]
    log = Path(stamp.venv_folder(root)) / LOG
    with open(log, "ab") as stream:
        stream.write(f"\n$ {' '.join(command)}\n".encode())
        start = stream.tell()
        # pip inherits the lock: should this process be killed, nobody starts a second
        # pip while the first one still works.
        inherited = {} if os.name == "nt" else {"pass_fds": (lock.fileno(),)}
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=quiet_environment(),
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


def with_extras(root: Path) -> str:
    """The course and all of its extras, as pip writes it: /path[one,two]."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = ",".join(project.get("optional-dependencies", {}))
    return f"{root}[{extras}]" if extras else str(root)


def stop(process: subprocess.Popen) -> None:
    """End pip: it tidies up after an interrupt, and is killed if it does not hurry."""
    if os.name != "nt":
        process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=10)
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
    command = [stamp.venv_python(root), "-I", "-m", "ipykernel", "install"]
    done = subprocess.run(
        [*command, "--sys-prefix"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise CommandError(f"cannot register the kernel: {done.stderr.strip()[-200:]}")
