"""A course in miniature, so that real installs take seconds and need no network.

It holds the launcher and the real modules behind it, a few small packages as wheels in
a folder of its own, and a build backend of a few lines in place of setuptools.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from course_tools.cli import stamp

MANY = 1201  # files in a large package: enough to be caught in the middle of it

# {wheel: files in it}; torch is one as well, so that the tests are about its step, too.
WHEELS = {
    "builder-1.0": 2,
    "small-1.0": 2,
    "small-2.0": 2,
    "large-1.0": MANY,
    "wide-1.0": MANY,
    "tool-1.0": 2,
    "torch-2.13.0": 2,
    "poems-1.0": 3,
}
PARTS = {
    "build": ["builder-1.0"],
    "student": ["large-1.0", "small-1.0"],
    "texts": ["poems-1.0"],
    "grade": ["small-1.0", "wide-1.0"],
    "book": ["small-1.0"],
    "hub": ["small-1.0"],
    "test": ["tool-1.0"],
    "develop": ["tool-1.0"],
}

PYPROJECT = """\
[build-system]
requires = []
build-backend = "tiny_backend"
backend-path = ["."]

[project]
name = "course_lib"
version = "0.1.0"
dependencies = [
    "large==1.0",
    "small==1.0",
    "torch==2.13.0",
]

[project.optional-dependencies]
grade = [
    "wide==1.0",
]
"""

BACKEND = """\
import zipfile

INFO = "course_lib-0.1.0.dist-info"


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "course_lib-0.1.0-py3-none-any.whl"
    import os

    meta = "Metadata-Version: 2.1\\nName: course_lib\\nVersion: 0.1.0\\n"
    wheel = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as archive:
        archive.writestr("course_lib.pth", os.getcwd() + "\\n")
        archive.writestr(INFO + "/METADATA", meta)
        archive.writestr(INFO + "/WHEEL", wheel)
        archive.writestr(INFO + "/RECORD", "")
    return name
"""


# Read by every Python of .venv when it starts: pip stops in the middle of a package, at
# a file whose name stands in the file beside it, until that file is gone.
GATE = """\
import os
import sys
import time

HELD = os.path.join(os.path.dirname(__file__), "held.txt")


def wait(event, arguments):
    if event != "open" or not os.path.exists(HELD):
        return
    path, mode = str(arguments[0]), arguments[1]
    if mode != "wb" or path == HELD:
        return
    with open(HELD) as file:
        held = file.read()
    while path.endswith(held) and os.path.exists(HELD):
        time.sleep(0.01)


sys.addaudithook(wait)
"""


def build_wheel(folder: Path, name: str, version: str, files: int) -> None:
    """A package of `files` modules and nothing else."""
    info = f"{name}-{version}.dist-info"
    texts = {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\n"}
    texts[f"{info}/METADATA"] += f"Version: {version}\n"
    if name == "poems":  # what it asks for does not exist, and is not asked for
        texts[f"{info}/METADATA"] += "Requires-Dist: vanished\n"
    texts[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    texts[f"{name}/__init__.py"] = f'VERSION = "{version}"\n'
    texts |= {f"{name}/part{i}.py": f"NUMBER = {i}\n" for i in range(files - 1)}
    rows = [f"{path},{record_hash(text)},\n" for path, text in texts.items()]
    texts[f"{info}/RECORD"] = "".join([*rows, f"{info}/RECORD,,\n"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in texts.items():
            archive.writestr(path, text)


def record_hash(text: str) -> str:
    """As the RECORD of a wheel writes it."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256={base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def pinned(wheels: Path, name: str) -> str:
    """A line of a lock file: the version and the hash of a wheel."""
    content = (wheels / f"{name}-py3-none-any.whl").read_bytes()
    pin = name.replace("-", "==")
    return f"{pin} \\\n    --hash=sha256:{hashlib.sha256(content).hexdigest()}\n"


def share_or_copy(source: str, target: str) -> None:
    """Packages are shared as hard links, for speed: pip replaces files, whole."""
    if re.search(r"site-packages/(pip|setuptools|large|small|wide)", source):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


class TinyCourse:
    """A copy of the launcher in a folder, and ways to start it."""

    def __init__(self, root: Path, project: Path, wheels: Path):
        self.root, self.wheels = root, wheels
        root.mkdir(parents=True)
        for package in ("course_lib", "course_tools"):
            shutil.copytree(
                project / package,
                root / package,
                ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"),
            )
        shutil.copy(project / "course", root / "course")
        (root / "pyproject.toml").write_text(PYPROJECT)
        (root / "tiny_backend.py").write_text(BACKEND)
        (root / "requirements").mkdir()
        for part, names in PARTS.items():
            self.write_lock(part, names)
        (root / "requirements/torch.txt").write_text("torch==2.13.0\n")

    def write_lock(self, part: str, names: list[str]) -> None:
        """The lock file of a part, with these wheels in it."""
        text = "".join(pinned(self.wheels, name) for name in names)
        (self.root / "requirements" / f"{part}.lock").write_text(text)

    @property
    def packages(self) -> Path:
        """site-packages of .venv."""
        return next((self.root / ".venv").glob("lib/python3*/site-packages"))

    def environment(self, **changes: str) -> dict[str, str]:
        """pip finds the wheels of the tests and nothing else."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
        pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.wheels.as_uri()}
        pip |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_COMPILE": "1"}
        return {**kept, **pip, **changes}

    def command(self, *words: str, python: str | None = None) -> list[str]:
        base = python or getattr(sys, "_base_executable", sys.executable)
        return [base, str(self.root / "course"), *words]

    def start(self, *words: str, **settings) -> subprocess.Popen:
        """Start the launcher in a process group of its own, so that one can end all."""
        env = self.environment(**settings.pop("env", {}))
        return subprocess.Popen(
            self.command(*words, python=settings.pop("python", None)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
            start_new_session=True,
            **settings,
        )

    def run(self, *words: str, **settings) -> subprocess.CompletedProcess:
        """Start the launcher and wait for its end."""
        process = self.start(*words, **settings)
        out, err = process.communicate(timeout=600)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def copy(self, root: Path) -> "TinyCourse":
        """The same, set up, in another folder, as if it had been set up there."""
        shutil.copytree(self.root, root, symlinks=True, copy_function=share_or_copy)
        other = object.__new__(TinyCourse)
        other.root, other.wheels = root, self.wheels
        (other.packages / "course_lib.pth").write_text(f"{root}\n")
        (address,) = other.packages.glob("course_lib-*/direct_url.json")
        address.write_text(
            address.read_text().replace(self.root.as_uri(), root.as_uri())
        )
        record = address.with_name("RECORD")  # its hashes were for the other folder
        record.write_text(re.sub(r",sha256=[^,]*,\d*", ",,", record.read_text()))
        for part in self.stamps():
            stamp.write(root, part)
        return other

    def stamps(self) -> list[str]:
        """The parts that were installed to their end."""
        prefix = ".venv/course-stamp-"
        return sorted(p.name.rpartition("-")[2] for p in self.root.glob(f"{prefix}*"))

    def forget_stamps(self) -> None:
        """As if nothing had been finished yet."""
        for part in self.stamps():
            (self.root / f".venv/course-stamp-{part}").unlink()

    def remove_packages(self) -> None:
        """Back to a .venv that holds pip only."""
        names = {wheel.partition("-")[0] for wheel in WHEELS} | {"course_lib"}
        for name in names:
            for path in self.packages.glob(f"{name}*"):
                path.unlink() if path.is_file() else shutil.rmtree(path)
        self.forget_stamps()
        (self.root / ".venv/install.log").unlink()

    def hold(self, package: str = "large") -> None:
        """From now on pip stops in the middle of a package, until `release`."""
        (self.packages / "gate.py").write_text(GATE)
        (self.packages / "gate.pth").write_text("import gate\n")
        (self.packages / "held.txt").write_text(f"{package}/part600.py")

    def release(self) -> None:
        """pip goes on, and stops no more."""
        (self.packages / "held.txt").unlink()

    def pip_runs(self) -> int:
        """How many times pip has been started in this .venv."""
        return (self.root / ".venv/install.log").read_text().count("\n$ ")

    def modules(self, package: str = "large") -> int:
        """How many modules of a package are in .venv."""
        return sum(1 for _ in (self.root / ".venv").glob(f"lib/*/*/{package}/*.py"))
