"""Where things are: what is named exists, and nothing leans on what stands above it."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from lectures import LECTURES

ROOT = Path(__file__).resolve().parents[1]
STEMS = {path.stem for path in LECTURES}
NUMBERS = {stem.split("_")[0] for stem in STEMS}
TOPICS = {stem.split("_", 1)[1] for stem in STEMS}

# Folders with a module for each lecture, and the modules that lectures share.
ROOMS = {
    "course_lib/show": {
        "audio",
        "boxes",
        "course_map",
        "diagram",
        "frames",
        "gates_by_hand",
        "mechanisms",
        "palette",
        "plots",
        "running_task",
        "timeline",
        "widgets",
    },
    "course_lib/exercises": {"difference", "exercise", "record"},
    "course_lib/errata": {"evidence", "table"},
}
# A folder, and the packages that nothing in it imports.
LAYERS = {
    "course_lib": {"course_tools", "tests"},
    "course_tools": {"tests"},
    "notebooks": {"course_tools", "tests"},
    "solutions": {"course_tools", "tests"},
}
# Rooms of course_tools, the lowest line first. A room imports from lower lines, never
# from its own line or from above: so judge and student know nothing of each other.
BASE = "errors atomic words coloured lean_imports grading.limits grading.text"
BASE += " grading.validate grading.messages grading.rules grading.own_code"
BASE += " grading.processor_time"
DOORS = "grading grading.arguments grading.command grading.plugin"
DOORS += " grading.export_plugins grading.collect_plugin grading.protections"
LINES = (
    {"base": f"{BASE} grading.options", "katex": "katex"},
    {"bridge": "grading.bridge", "sandbox": "grading.sandbox", "plan": "grading.plan"},
    {
        "judge": "grading.judge",
        "student": "grading.student",
        "course": "grading.course",
    },
    {"pages": "grading.pages"},
    {"zygote": "grading.zygote", "run": "grading.run"},
    {"doors": DOORS},
    {"classroom": "classroom", "similar": "similar"},
    {"authoring": "authoring"},
    {"book": "book", "hub": "hub"},
    {"cli": "cli __main__"},
)
ROOM_OF = {
    module: room
    for line in LINES
    for room, modules in line.items()
    for module in modules.split()
}
HEIGHT = {room: height for height, line in enumerate(LINES) for room in line}
NOTEBOOK = re.compile(r"(?<![\w/.])([0-9]{2}[a-z]?_[a-z]\w*|[A-Z]_\w+(?=\.ipynb))")
SPOKEN = re.compile(
    r"\b[Ll]ectures? ((?:\d\d[a-z]?)(?:(?:, | and | to |-)\d\d[a-z]?\b)*)"
)


def files(folder: str = "") -> list[Path]:
    """The tracked text files under a folder."""
    command = ["git", "ls-files", "-z", "--", folder or "."]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    paths = [ROOT / name for name in listed.decode().split("\0") if name]
    return [
        path
        for path in paths
        if path.is_file() and path.suffix not in {".png", ".safetensors", ".woff2"}
    ]


def strangers(text: str) -> set[str]:
    """The lectures that a text names and that are not there."""
    named = set(NOTEBOOK.findall(text))
    numbers = {
        number
        for spoken in SPOKEN.findall(text)
        for number in re.findall(r"\d\d[a-z]?", spoken)
    }
    return (named - STEMS) | (numbers - NUMBERS)


@cache
def code(path: Path) -> str:
    """The Python of a module, or of the code cells of a notebook."""
    text = path.read_text(encoding="utf8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


def imported(source: str) -> Iterator[str]:
    """The packages that a program imports, wherever the line stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)


def tools_imported(source: str) -> Iterator[str]:
    """What a program imports of course_tools, as names below that package."""
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("course_tools."):
                yield name.removeprefix("course_tools.")


def room_of(name: str) -> str:
    """The room of a module, or of something in it: that of its longest known part."""
    while name and name not in ROOM_OF:
        name = name.rpartition(".")[0]
    return ROOM_OF.get(name, "")


def not_below(name: str, source: str) -> set[str]:
    """The rooms that a module of the tools imports although they are not below it."""
    own = room_of(name)
    rooms = {room_of(other) for other in tools_imported(source)} - {own}
    return {room for room in rooms if HEIGHT.get(room, 99) >= HEIGHT[own]}


def test_every_lecture_that_is_named_exists():
    found = {path: strangers(path.read_text(encoding="utf8")) for path in files()}
    unknown = {str(p.relative_to(ROOT)): sorted(s) for p, s in found.items() if s}
    assert not unknown


NONE, LETTER = "97", "Z"  # apart from the words, for this file is read as well


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("see lecture 01, and 02_simple_rnn", set()),
        ("[02](02_simple_rnn.ipynb), [A](A_ledger.ipynb), 10_000 rows", set()),
        (f"see [lecture {NONE}]({NONE}_more.ipynb)", {NONE, f"{NONE}_more"}),
        (f"Lectures 01, {NONE} and 98b; in 2001", {NONE, "98b"}),
        (f"lectures 01 to {NONE}", {NONE}),
        (f"({LETTER}_rest.ipynb)", {f"{LETTER}_rest"}),
    ],
)
def test_a_lecture_that_is_not_there_is_noticed(text, missing):
    assert strangers(text) == missing


@pytest.mark.parametrize("room", ROOMS)
def test_a_module_is_named_after_its_lecture_or_is_known_to_be_shared(room):
    inside = [path for path in files(room) if path.suffix == ".py"]
    names = {
        path.relative_to(ROOT / room).parts[0].removesuffix(".py") for path in inside
    }
    assert names - {"__init__"} - TOPICS == ROOMS[room]


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_nothing_that_stands_above_it(layer):
    programs = [path for path in files(layer) if path.suffix in {".py", ".ipynb"}]
    assert programs
    upwards = {str(p): LAYERS[layer] & set(imported(code(p))) for p in programs}
    assert not {path: names for path, names in upwards.items() if names}


def test_an_import_inside_a_function_is_noticed():
    source = "def f():\n    from course_tools.atomic import write\nimport a.b, numpy"
    assert set(imported(source)) == {"course_tools", "a", "numpy"}


def test_rooms_of_the_tools_import_only_from_below():
    place = ROOT / "course_tools"
    wrong = {}
    for path in files("course_tools"):
        if path.suffix == ".py" and path != place / "__init__.py":
            name = ".".join(path.relative_to(place).with_suffix("").parts)
            name = name.removesuffix(".__init__")
            assert room_of(name), f"{name} has no line in LINES"
            wrong[name] = not_below(name, code(path))
    assert not {name: rooms for name, rooms in wrong.items() if rooms}


@pytest.mark.parametrize(
    ("name", "source", "rooms"),
    [
        (
            "grading.bridge.wire",
            "from course_tools.grading.limits import Limits",
            set(),
        ),
        ("grading.limits", "import course_tools.grading.bridge.wire", {"bridge"}),
        (
            "grading.judge.judge",
            "from course_tools.grading import student",
            {"student"},
        ),
        ("grading.run.job", "from course_tools.grading import GradeOptions", {"doors"}),
        ("cli.doctor", "from course_tools.grading import protections", set()),
        ("grading.command", "def f():\n    from course_tools import cli", {"cli"}),
    ],
)
def test_an_import_upwards_is_noticed(name, source, rooms):
    assert not_below(name, source) == rooms
