"""pyproject.toml, requirements/ and environment.yml must say the same."""

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from locked import FILES_ONLY, SYSTEMS, entries, needs, pins_for
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from course_tools.cli import lock, parts

# Packages that conda-forge has under another name than PyPI.
CONDA_NAMES = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}
CODE = ("course_lib", "course_tools", "tests", "benchmarks")
LOCKS = ["build", "texts", "student", "grade", "book", "hub", "test", "develop"]


def pins(lines: list[str], sign: str) -> dict[str, str]:
    """{name: version} of lines such as name==version; anything else is an error."""
    found = {}
    for line in lines:
        match = re.fullmatch(rf"([A-Za-z0-9._-]+){sign}([0-9][0-9a-z.]*)", line)
        assert match, f"not an exact version: {line!r}"
        found[canonicalize_name(match[1])] = match[2]
    return found


@pytest.fixture(scope="module")
def wanted(project_root: Path) -> dict[str, dict[str, str]]:
    """{part: {name: version}} of what pyproject.toml names."""
    return {part: pins(p, "==") for part, p in lock.wanted(project_root).items()}


@pytest.fixture(scope="module")
def direct(wanted) -> dict[str, str]:
    """The direct dependencies of all parts; what installs them is not one."""
    named = {}
    for part, found in wanted.items():
        named |= found if part not in ("build", "texts") else {}
    return named


@pytest.fixture
def conda_lines(project_root: Path) -> list[str]:
    text = (project_root / "environment.yml").read_text("utf-8")
    return re.findall(r"^ +- (.+)$", text.partition("dependencies:")[2], re.MULTILINE)


# --- requirements/


def test_there_is_a_lock_for_each_part(project_root, wanted):
    assert list(wanted) == LOCKS
    files = {file for names in parts.FILES.values() for file in names}
    stored = {f"requirements/{p.name}" for p in project_root.glob("requirements/*")}
    assert stored == files - {"pyproject.toml"}


@pytest.mark.parametrize("part", LOCKS)
@pytest.mark.parametrize("system", SYSTEMS, ids="-".join)
def test_lock_holds_direct_dependencies_once_on_every_system(
    project_root, wanted, part, system
):
    found = pins_for(project_root, part, system)  # fails on two versions of one package
    expected = {n: v for n, v in wanted[part].items() if n != "torch"}
    assert expected.items() <= found.items(), expected.items() - found.items()


@pytest.mark.parametrize("system", SYSTEMS, ids="-".join)
def test_parts_agree_about_versions(project_root, system):
    together = {}
    for part in LOCKS:
        for name, version in pins_for(project_root, part, system).items():
            assert together.setdefault(name, version) == version


@pytest.mark.parametrize("part", LOCKS)
def test_every_entry_has_hashes_and_is_exact(project_root, part):
    found = entries(project_root, part)
    assert found
    for requirement, hashes in found:
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", text) for text in hashes)
        assert [s.operator for s in requirement.specifier] == ["=="]
    names = [requirement.name for requirement, _ in found]
    assert names == sorted(names)


def test_requirements_name_no_build_and_no_host(project_root):
    for path in project_root.glob("requirements/*"):
        text = path.read_text("utf-8")
        assert "+" not in text, path
        assert "://" not in text, path
        assert "-url" not in text, path
        assert not re.search(r"\w\.(org|com|io|net)\b", text), path


def test_torch_is_fixed_by_version_alone(project_root, wanted):
    text = (project_root / "requirements/torch.txt").read_text("utf-8")
    (line,) = [line for line in text.splitlines() if not line.startswith("#")]
    assert line == f"torch=={wanted['student']['torch']}" == "torch==2.13.0"


def test_the_builder_is_the_one_of_the_build_system(project_root, wanted):
    project = tomllib.loads((project_root / "pyproject.toml").read_text("utf-8"))
    assert pins(project["build-system"]["requires"], "==").items() <= (
        wanted["build"].items()
    )


def test_installed_versions_are_the_locked_ones(project_root):
    for part in LOCKS[1:]:  # pip may have been replaced since
        locked = pins_for(project_root, part)
        found = {n: metadata.version(n).partition("+")[0] for n in locked}
        assert found == locked


@pytest.mark.parametrize("part", ["student", "grade", "test"])
def test_locks_are_complete(project_root, part):
    """Whatever a locked package needs here is locked in a fitting version.

    Packages whose files alone are read are left out, and PyTorch is in a file of its
    own.
    """
    locked = pins_for(project_root, part) | {"torch": "2.13.0"}
    found = needs(lock.wanted(project_root)[part])
    assert len(found) >= len(pins_for(project_root, part))
    for need in found:
        version = locked.get(canonicalize_name(need.name))
        assert version, f"{need} is not locked"
        assert need.specifier.contains(version, prereleases=True), (need, version)


def test_packages_that_are_only_read_are_never_imported(project_root):
    """Their dependencies are left out, so importing them would fail."""
    project = tomllib.loads((project_root / "pyproject.toml").read_text("utf-8"))
    overridden = {e["name"] for e in project["tool"]["uv"]["dependency-metadata"]}
    assert overridden - {"torch"} == FILES_ONLY
    for path in python_files(project_root):
        assert not imported_names(path.read_text("utf-8")) & {
            name.replace("-", "_") for name in FILES_ONLY
        }, path


# --- environment.yml


def test_conda_environment_agrees_name_by_name(conda_lines, direct):
    from_conda = [
        line
        for line in conda_lines
        if "=" in line and "==" not in line and ">" not in line
    ]
    from_pip = [line for line in conda_lines if "==" in line]
    named = {CONDA_NAMES.get(n, n): v for n, v in pins(from_conda, "=").items()}
    assert not named.keys() & pins(from_pip, "==").keys()
    assert named | pins(from_pip, "==") == direct


def test_conda_environment_ends_with_the_course_itself(conda_lines, wanted):
    extras = ",".join(
        name for name in wanted if name not in ("build", "texts", "student")
    )
    assert conda_lines[-1] == f"-e .[{extras}]"
    rest = [line for line in conda_lines[:-1] if not re.search(r"[^>]=\d", line)]
    assert rest == ["python>=3.11", "pip", "pip:"]


def test_conda_users_learn_the_step_for_the_texts(project_root):
    command = "pip install --no-deps -r requirements/texts.lock"
    assert command in (project_root / "environment.yml").read_text("utf-8")


# --- what is imported


def python_files(root: Path) -> list[Path]:
    return [p for folder in CODE for p in (root / folder).rglob("*.py")]


def imported_names(source: str) -> set[str]:
    """The top-level modules that a text imports, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def unnamed(texts: dict[str, str], named: set[str], local: set[str]) -> dict:
    """{module: texts} of what is imported from packages that are not named."""
    providers = metadata.packages_distributions()
    found: dict[str, list[str]] = {}
    for place, source in texts.items():
        for name in imported_names(source) - sys.stdlib_module_names - local:
            packages = {canonicalize_name(p) for p in providers.get(name, [name])}
            if not packages & named:
                found.setdefault(name, []).append(place)
    return found


def test_everything_imported_is_a_direct_dependency(project_root, direct, wanted):
    files = python_files(project_root)
    beside = {"tests", "benchmarks"}
    local = {path.stem for path in files if beside & {*path.parts}} | {*CODE}
    texts = {str(p.relative_to(project_root)): p.read_text("utf-8") for p in files}
    assert unnamed(texts, {*direct, *wanted["build"]}, local) == {}


def test_a_student_has_what_lectures_and_problem_sets_import(
    project_root, wanted, cells_of
):
    """Lectures, problem sets and the library that they import: nothing else needed."""
    folders = ("notebooks", "solutions", "assignments")
    notebooks = [p for f in folders for p in (project_root / f).rglob("*.ipynb")]
    assert len(notebooks) > 20
    texts = {path.name: cells_of(path) for path in notebooks}
    for folder in ("course_lib", "course_tools/cli", "course_tools/authoring"):
        for path in (project_root / folder).rglob("*.py"):
            texts[str(path)] = path.read_text("utf-8")
    named = {*wanted["build"], *wanted["student"]}
    assert unnamed(texts, named, {"course_lib", "course_tools"}) == {}


def test_grading_needs_no_more_than_its_part(project_root, wanted):
    files = (project_root / "course_tools").rglob("*.py")
    others = ("book", "katex", "hub")
    texts = {
        str(path): path.read_text("utf-8")
        for path in files
        if path.parent.name not in others
    }
    named = {*wanted["build"], *wanted["student"], *wanted["grade"]}
    assert unnamed(texts, named, {"course_lib", "course_tools"}) == {}


def test_the_web_edition_needs_no_more_than_its_part(project_root, wanted):
    folders = [project_root / "course_tools" / name for name in ("book", "katex")]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    texts = {str(path): path.read_text("utf-8") for path in files}
    named = {*wanted["build"], *wanted["student"], *wanted["book"]}
    assert unnamed(texts, named, {"course_lib", "course_tools"}) == {}


def test_a_hub_needs_no_more_than_its_part(project_root, wanted):
    files = (project_root / "course_tools/hub").rglob("*.py")
    texts = {str(path): path.read_text("utf-8") for path in files}
    named = {*wanted["student"], *wanted["hub"]}
    assert unnamed(texts, named, {"course_lib", "course_tools"}) == {}


@pytest.fixture(scope="module")
def cells_of():
    """The code of a notebook as one text, without lines that only IPython reads."""
    nbformat = pytest.importorskip("nbformat")

    def read(path: Path) -> str:
        cells = nbformat.read(path, as_version=4).cells
        texts = [c.source for c in cells if c.cell_type == "code"]
        return "\n".join(re.sub(r"^\s*[%!].*$", "", text, flags=re.M) for text in texts)

    return read


def test_direct_dependencies_are_exact(project_root):
    for texts in lock.wanted(project_root).values():
        for text in texts:
            specifiers = list(Requirement(text).specifier)
            assert [s.operator for s in specifiers] == ["=="], text
