"""Imports inside the engine only go down; judge and student know nothing of another."""

import ast
from pathlib import Path

import pytest

from course_tools import grading

ROOT = Path(grading.__file__).parent
# A room imports from lower lines, never from its own line or from above.
LAYERS = (
    ("bridge", "sandbox", "plan"),
    ("judge", "student", "course"),
    ("pages",),
    ("zygote", "run"),
    ("command", "plugin", "export_plugins", "protections"),
)
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}


def rooms_imported(source):
    """Return the rooms of the engine that a program imports, wherever the line is."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    inside = [name.split(".") for name in names]
    return {p[2] for p in inside if p[:2] == ["course_tools", "grading"] and p[2:]}


@pytest.mark.parametrize("room", [r for r in HEIGHT if (ROOT / r).is_dir()])
def test_a_room_imports_only_from_below(room):
    programs = sorted((ROOT / room).glob("*.py"))
    assert programs
    for path in programs:
        others = rooms_imported(path.read_text(encoding="utf-8")) - {room}
        not_below = {other for other in others if HEIGHT.get(other, -1) >= HEIGHT[room]}
        assert not not_below, path.name


def test_every_room_has_its_line():
    rooms = {path.name for path in ROOT.iterdir() if (path / "__init__.py").is_file()}
    assert rooms <= set(HEIGHT)


def test_an_import_inside_a_function_is_noticed():
    source = "def f():\n    from course_tools.grading.judge import judge\nimport ast"
    assert rooms_imported(source) == {"judge"}
