"""docs/architecture.md names only files that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = ("", "course_tools", "course_tools/grading", "course_tools/cli")


def named_paths(text: str) -> list[str]:
    """Everything in backticks that looks like a file or a folder."""
    quoted = re.findall(r"`([\w./]+)`", text)
    return [word for word in quoted if "/" in word or word.endswith(".py")]


def exists(name: str) -> bool:
    return any((ROOT / package / name).exists() for package in PACKAGES)


def test_every_named_file_exists():
    names = [n for n in named_paths(PAGE.read_text("utf-8")) if n != "./course"]
    made_while_working = {"submitted/ada/ps1_rnn/"}
    missing = [n for n in names if n not in made_while_working and not exists(n)]
    assert len(names) > 40
    assert not missing


def test_a_file_that_is_not_there_is_noticed():
    assert named_paths("see `cli/nowhere.py` and `word`") == ["cli/nowhere.py"]
    assert not exists("cli/nowhere.py")
