"""A course in miniature, so that real installs take seconds and need no network.

It holds the launcher and the real modules behind it, a few packages as wheels in
a folder of its own, and a build backend of a few lines in place of setuptools.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from course_tools.cli import stamp

MANY = 1201  # files in the large package: enough to be caught in the middle of it

PYPROJECT = """\
[build-system]
requires = []
build-backend = "tiny_backend"
backend-path = ["."]

[project]
name = "course_lib"
version = "0.1.0"
dependencies = ["small==1.0"]

[project.optional-dependencies]
test = ["large==1.0"]
"""

BACKEND = '''\
import zipfile

INFO = "course_lib-0.1.0.dist-info"


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "course_lib-0.1.0-py3-none-any.whl"
    import os

    meta = """Metadata-Version: 2.1
Name: course_lib
Version: 0.1.0
Provides-Extra: test
Requires-Dist: small==1.0
Requires-Dist: large==1.0; extra == 'test'
"""
    wheel = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as archive:
        archive.writestr("course_lib.pth", os.getcwd() + "\\n")
        archive.writestr(INFO + "/METADATA", meta)
        archive.writestr(INFO + "/WHEEL", wheel)
        archive.writestr(INFO + "/RECORD", "")
    return name
'''


def build_wheel(
    folder: Path, name: str, version: str, files: int, needs: str = ""
) -> None:
    """A package of `files` modules and nothing else."""
    info = f"{name}-{version}.dist-info"
    texts = {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\n"}
    texts[f"{info}/METADATA"] += f"Version: {version}\n"
    texts[f"{info}/METADATA"] += f"Requires-Dist: {needs}\n" if needs else ""
    texts[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    texts[f"{name}/__init__.py"] = f'VERSION = "{version}"\n'
    texts |= {f"{name}/part{i}.py": f"NUMBER = {i}\n" for i in range(files - 1)}
    texts[f"{info}/RECORD"] = "".join(f"{n},,\n" for n in [*texts, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in texts.items():
            archive.writestr(path, text)


def share_or_copy(source: str, target: str) -> None:
    """Packages are shared as hard links, for speed: pip replaces files, whole."""
    if re.search(r"site-packages/(pip|setuptools|large|small|poems)", source):
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
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        shutil.copy(project / "course", root / "course")
        (root / "pyproject.toml").write_text(PYPROJECT)
        (root / "tiny_backend.py").write_text(BACKEND)
        (root / "requirements.lock").write_text("large==1.0\nsmall==1.0\n")
        archive = (wheels / "poems-1.0-py3-none-any.whl").read_bytes()
        digest = hashlib.sha256(archive).hexdigest()
        (root / "requirements-texts.txt").write_text(
            f"poems==1.0 --hash=sha256:{digest}\n"
        )

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
        out, err = process.communicate(timeout=120)
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
        stamp.write(root)
        return other

    def remove_packages(self) -> None:
        """Back to a .venv that holds pip only."""
        for name in ("small", "large", "poems", "course_lib"):
            for path in self.packages.glob(f"{name}*"):
                path.unlink() if path.is_file() else shutil.rmtree(path)
        for name in ("course-stamp", "install.log"):
            (self.root / ".venv" / name).unlink()

    def pip_runs(self) -> int:
        """How many times pip has been asked to install the course."""
        return (self.root / ".venv/install.log").read_text().count(" -e ")

    def parts(self) -> int:
        """How many modules of the large package are in .venv."""
        return sum(1 for _ in (self.root / ".venv").glob("lib/*/*/large/*.py"))
