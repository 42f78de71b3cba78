"""Which notebooks the book holds, in which order, under which titles."""

from pathlib import Path

import pytest

from course_tools.book.command import full_names
from course_tools.book.contents import chapters, in_parts, part_of
from course_tools.errors import CommandError

ROOT = Path(__file__).resolve().parents[2]


def test_every_lecture_and_every_problem_set_is_a_chapter():
    names = [chapter.name for chapter in chapters(ROOT)]
    files = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("assignments/*/*.ipynb")]
    files += ROOT.glob("notebooks/*.md")
    assert sorted(names) == sorted(path.stem for path in files)
    assert names.index("02_simple_rnn") < names.index("04_lstm")
    assert names.index("04_lstm") < names.index("04b_every_path")
    assert names.index("A_ledger") < names.index("ps1_rnn")


def test_titles_stand_without_their_numbers():
    titles = {chapter.name: chapter.title for chapter in chapters(ROOT)}
    assert titles["02_simple_rnn"].startswith("The simple recurrent network")
    assert not any(title[0].isdigit() for title in titles.values())
    assert not any("$" in title for title in titles.values())


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("00_start_here", "Start"),
        ("03b", "I Recurrence"),
        ("12b", "V Large models"),
        ("17", "VII And back"),
        ("B", "Appendix"),
        ("ps10", "Problem sets"),
    ],
)
def test_a_lecture_belongs_to_its_part(name, part):
    assert part_of(name) == part


def test_parts_hold_every_chapter_once():
    all_chapters = chapters(ROOT)
    listed = [chapter for _, members in in_parts(all_chapters) for chapter in members]
    assert listed == all_chapters


def test_a_lecture_is_named_by_number_or_in_full():
    assert full_names(["02", "04b_every_path", "ps1"], ROOT) == [
        "02_simple_rnn",
        "04b_every_path",
        "ps1_rnn",
    ]
    with pytest.raises(CommandError, match="no lecture '2b'"):
        full_names(["2b"], ROOT)
    with pytest.raises(CommandError, match="no lecture ''"):
        full_names([""], ROOT)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"cells": [', '{"cells": [7]}', "\0"]
)
def test_a_file_that_is_no_notebook_is_named(tmp_path, text):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "my_notes.ipynb").write_text(text)
    with pytest.raises(CommandError, match="notebooks/my_notes.ipynb is no notebook"):
        chapters(tmp_path)
