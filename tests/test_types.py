"""Types: the checker finds nothing, and the tools say what they take and return."""

import ast
import subprocess
import sys

import pytest

# These must parse on old Pythons, or run in a .venv that is half made.
OLD_SYNTAX = ("stamp", "parts", "bootstrap", "pip_progress", "pip_steps")
LEFT = {f"course_tools/cli/{name}.py" for name in OLD_SYNTAX}


def check(folder, *words):
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    return subprocess.run(
        [*command, *words], cwd=folder, capture_output=True, text=True
    )


def test_the_type_checker_is_content(project_root):
    """Which files it reads, and which not yet, stands in pyproject.toml."""
    result = check(project_root)
    assert result.returncode == 0, result.stdout


def test_a_wrong_type_is_noticed(tmp_path):
    (tmp_path / "wrong.py").write_text("def f() -> int:\n    return 'text'\n")
    result = check(tmp_path, "wrong.py")
    assert result.returncode == 1
    assert "1 error" in result.stdout


def bare(source):
    """Yield the functions that leave an argument or their result without a type."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            names = [*given.posonlyargs, *given.args, *given.kwonlyargs]
            names += [name for name in (given.vararg, given.kwarg) if name]
            untyped = [n for n in names if not n.annotation and n.arg not in OWN]
            if untyped or node.returns is None:
                yield node.name


OWN = ("self", "cls")


def test_every_function_of_the_tools_is_annotated(project_root):
    paths = sorted((project_root / "course_tools").rglob("*.py"))
    found = {str(p.relative_to(project_root)): list(bare(p.read_text())) for p in paths}
    assert {
        name: left for name, left in found.items() if left and name not in LEFT
    } == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(a: int, *b: int) -> None: ...", []),
        ("def f(a) -> None: ...", ["f"]),
        ("class A:\n    def g(self, *, b: int): ...", ["g"]),
        ("def f() -> None:\n    def inner(*args) -> None: ...", ["inner"]),
    ],
)
def test_a_function_without_types_is_noticed(source, names):
    assert list(bare(source)) == names
