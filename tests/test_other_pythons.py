"""The course's code is read by the other Pythons that it promises to run on.

Nothing is installed for this: each file is compiled, warnings are errors, and every
module of the standard library that it imports must still be there.
"""

import ast
import glob
import json
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("course_lib", "course_tools", "tests", "benchmarks", "notebooks")
PROMISED = ("3.11", "3.12", "3.13")
# runs in the other Python: {name: source} and names of modules in, complaints out
PROGRAM = """
import importlib.util, json, sys, warnings

warnings.simplefilter("error")
given, complaints = json.load(sys.stdin), []
for name, source in given["sources"].items():
    try:
        compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, Warning) as error:
        complaints.append(f"{name}: {error}")
for module in given["modules"]:
    if importlib.util.find_spec(module) is None:
        complaints.append(f"there is no module {module}")
json.dump(["%d.%d" % sys.version_info[:2], complaints], sys.stdout)
"""


def interpreter(version: str) -> str | None:
    """A Python of this release on this machine, other than the running one."""
    if version == "{}.{}".format(*sys.version_info):
        return sys.executable
    kept = str(Path.home() / f".pyenv/versions/{version}.*/bin/python")
    candidates = [*sorted(glob.glob(kept)), shutil.which(f"python{version}")]
    return next((path for path in candidates if path and starts(path, version)), None)


def starts(path: str, version: str) -> bool:
    """A shim of pyenv is there even when its Python is not chosen."""
    done = subprocess.run([path, "--version"], capture_output=True, text=True)
    return done.returncode == 0 and f"Python {version}." in done.stdout


@cache
def sources() -> dict[str, str]:
    """{path: Python}, of modules and of the cells of notebooks without magics."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            found[str(path.relative_to(ROOT))] = path.read_text("utf-8")
        for path in sorted((ROOT / folder).glob("*.ipynb")):
            cells = json.loads(path.read_text("utf-8"))["cells"]
            code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
            plain = "\n".join(text for text in code if not text.startswith("%"))
            found[str(path.relative_to(ROOT))] = plain
    return found


@cache
def library_modules() -> set[str]:
    """The modules of the standard library that the sources import anywhere."""
    names = set()
    for text in sources().values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module)
    known = {n for n in names if n.partition(".")[0] in sys.stdlib_module_names}
    return {name for name in known if find_spec(name)}  # Windows has some of its own


def complaints(python: str, texts: dict[str, str], modules: set[str]) -> list:
    given = json.dumps({"sources": texts, "modules": sorted(modules)})
    command = [python, "-I", "-c", PROGRAM]
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("version", PROMISED)
def test_every_file_is_read_without_a_warning(version):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} on this machine")
    texts = sources()
    assert len(texts) > 300
    modules = library_modules()
    assert {"json", "pathlib"} <= modules
    assert complaints(python, texts, modules) == [version, []]


def test_what_another_python_would_not_read_is_noticed():
    texts = {"a.py": "x = '\\d'", "b.py": "def", "c.py": "x = 1"}
    _, found = complaints(sys.executable, texts, {"json", "asynchat_of_old"})
    assert [line[:5] for line in found] == ["a.py:", "b.py:", "there"]
