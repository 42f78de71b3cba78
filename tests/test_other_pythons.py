"""The course's code is read by the other Pythons that it promises to run on.

Nothing is installed for this: each file is compiled, warnings are errors, and every
module of the standard library that it imports must still be there.  What needs no
package is used as well: those modules are loaded, and the launcher answers.
"""

import ast
import json
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from interpreters import PROMISED, interpreter

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("course_lib", "course_tools", "tests", "benchmarks", "notebooks")
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

# runs in any Python: the folder of the course and names of modules in, out comes what
# became of each: "", the package that is not installed, or an error
LOADER = """
import importlib, json, sys, warnings

warnings.simplefilter("error")
folder, names = json.load(sys.stdin)
sys.path.insert(0, folder)
became = {}
for name in names:
    try:
        importlib.import_module(name)
        became[name] = ""
    except ModuleNotFoundError as error:
        became[name] = error.name.partition(".")[0]
    except Exception as error:
        became[name] = repr(error)
json.dump(became, sys.stdout)
"""


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


def modules() -> list[str]:
    """All modules of both packages but those that do something when they are loaded."""
    paths = [
        path.relative_to(ROOT).with_suffix("")
        for package in ("course_lib", "course_tools")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]
    names = [".".join(path.parts).removesuffix(".__init__") for path in paths]
    return [name for name in names if not name.endswith("__main__")]


def loaded(python: str, names: list[str]) -> dict[str, str]:
    """What becomes of modules in a Python without any package."""
    command = [python, "-I", "-S", "-B", "-c", LOADER]
    given = json.dumps([str(ROOT), names])
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def loaded_here() -> dict[str, str]:
    return loaded(sys.executable, modules())


def python_of(version: str) -> str:
    """An interpreter of this release; without one, the test is skipped, and says so."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} on this machine")
    return python


@pytest.mark.parametrize("version", PROMISED)
def test_what_needs_no_package_is_loaded(version):
    python, here = python_of(version), loaded_here()
    assert sum(package == "" for package in here.values()) > 60
    assert all(map(str.isidentifier, filter(None, here.values()))), here
    assert loaded(python, modules()) == here


@pytest.mark.parametrize("version", PROMISED)
def test_the_launcher_answers(version):
    """Help, and a command that does not exist, need no package."""
    for words, code in ((["--help"], 0), (["labb"], 2)):
        command = ["-B", str(ROOT / "course"), *words]
        said = [
            subprocess.run([python, *command], capture_output=True, text=True)
            for python in (python_of(version), sys.executable)
        ]
        assert [done.returncode for done in said] == [code, code]
        assert said[0].stdout == said[1].stdout
        assert said[0].stderr == said[1].stderr


def test_a_module_that_does_not_load_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "fine.py").write_text("x = 1")
    (tmp_path / "needs.py").write_text("import numpy.linalg")
    (tmp_path / "odd.py").write_text("import asyncio\nasyncio.of_tomorrow")
    became = loaded(sys.executable, ["fine", "needs", "odd"])
    assert (became["fine"], became["needs"]) == ("", "numpy")
    assert became["odd"].startswith("AttributeError")


@pytest.mark.parametrize("version", PROMISED)
def test_every_file_is_read_without_a_warning(version):
    python, texts = python_of(version), sources()
    assert len(texts) > 300
    modules = library_modules()
    assert {"json", "pathlib"} <= modules
    assert complaints(python, texts, modules) == [version, []]


def test_what_another_python_would_not_read_is_noticed():
    texts = {"a.py": "x = '\\d'", "b.py": "def", "c.py": "x = 1"}
    _, found = complaints(sys.executable, texts, {"json", "asynchat_of_old"})
    assert [line[:5] for line in found] == ["a.py:", "b.py:", "there"]
