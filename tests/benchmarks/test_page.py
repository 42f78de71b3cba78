"""The tables of benchmarks/README.md are put between their marks, and nowhere else."""

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module("page")


def test_the_table_takes_the_place_between_its_marks(page, tmp_path):
    file, (begin, end) = tmp_path / "README.md", page.marks("some")
    file.write_text(f"a\n{begin}\nold\n{end}\nb\n", encoding="utf-8")
    page.write_block(file, "some", "new")
    assert file.read_text(encoding="utf-8") == f"a\n{begin}\nnew\n{end}\nb\n"


def test_a_page_without_marks_is_left_alone(page, tmp_path):
    file, (begin, end) = tmp_path / "README.md", page.marks("some")
    for text in ("no marks\n", f"{begin}\n{begin}\n{end}\n"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(
            SystemExit, match=r"README\.md needs the lines .* once each"
        ):
            page.write_block(file, "some", "table")
        assert file.read_text(encoding="utf-8") == text
    file.unlink()
    with pytest.raises(SystemExit, match="needs the lines"):
        page.write_block(file, "some", "table")


@pytest.mark.parametrize(
    "name", ["recurrent", "transformer", "grading", "grading_watch", "exchange"]
)
def test_the_page_has_a_place_for_every_table(page, name):
    text = page.README.read_text(encoding="utf-8")
    for mark in page.marks(name):
        assert text.count(mark) == 1
