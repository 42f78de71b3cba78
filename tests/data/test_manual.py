"""The Python manual as text: prose, each paragraph once, a fixed alphabet."""

import platform
from pydoc_data.topics import topics

import pytest
import torch

from course_lib.data import freeze_manual, manual
from course_lib.data.freeze_manual import is_prose, prose


@pytest.fixture(scope="module")
def text():
    return manual.load(0)


def test_there_is_enough_to_learn_from(text):
    assert sum(map(len, text.train)) > 100_000
    assert sum(map(len, text.test)) > 10_000


def test_no_paragraph_is_in_both_parts_or_twice(text):
    both = text.train + text.test
    assert len(set(both)) == len(both)


def test_paragraphs_are_one_line_of_prose(text):
    for paragraph in text.train + text.test:
        assert "\n" not in paragraph
        assert "::=" not in paragraph
        assert paragraph[0].isupper()
        assert paragraph[-1] in ".:"


@pytest.mark.parametrize(
    "block",
    ["Too short.", "x" * 100 + ".", "X" * 100, "X = [0, 1, 2, 3], {4: 5}, " * 9 + "."],
)
def test_what_is_not_prose_is_left_out(block):
    assert not is_prose(block)


def test_a_topic_gives_its_prose_and_drops_its_code():
    long = "A sentence of the manual that is long enough to be kept" + " and kept" * 3
    topic = f"Title\n=====\n\n{long}’s\n   end.\n\n   * {long}.\n\n   x = [1, 2]\n"
    assert prose(topic) == [f"{long}'s end.", f"{long}."]


def test_the_same_seed_gives_the_same_split(text):
    assert manual.load(0) == text
    assert manual.load(1).test != text.test
    assert sorted(manual.load(1).train + manual.load(1).test) == sorted(
        text.train + text.test
    )


def test_letters_and_numbers_are_inverse_to_each_other(text):
    assert len(manual.LETTERS) == len(set(manual.LETTERS)) == 96
    assert manual.decode(manual.encode(text.test[0])) == text.test[0]
    assert manual.encode("\n ~").tolist() == [0, 1, 95]


def test_a_foreign_letter_is_named():
    with pytest.raises(ValueError, match="'é' is not in the alphabet of 96"):
        manual.encode("café")


def test_a_stream_ends_every_paragraph_with_a_newline():
    numbers = manual.stream(("Ab", "c"))
    assert numbers.dtype == torch.long
    assert manual.decode(numbers) == "Ab\nc\n"


def test_topics_overlap_and_every_paragraph_is_kept_once():
    found = [text for topic in manual.topics().values() for text in topic]
    assert len(manual.topics()) == 79
    assert set(manual.paragraphs()) == set(found)
    assert len(manual.paragraphs()) == 777 < len(found)


def test_what_is_frozen_is_what_is_read(monkeypatch, tmp_path):
    long = "A sentence of the manual that is long enough to be kept" + " and kept" * 3
    monkeypatch.setattr(freeze_manual, "topics", {"b": f"{long}.\n\n{long}:", "a": "x"})
    monkeypatch.setattr(manual, "TOPICS", tmp_path / "topics.txt")
    freeze_manual.write(manual.TOPICS)
    assert manual.topics.__wrapped__() == {"a": (), "b": (f"{long}.", f"{long}:")}


def test_the_file_holds_the_manual_of_the_release_it_names():
    kept = manual.TOPICS.read_text(encoding="utf8")
    release = kept.split("Python ")[1].split()[0]
    if platform.python_version() != release:
        pytest.skip(f"the text is that of Python {release}")
    assert freeze_manual.frozen(topics, release) == kept


def test_the_licence_of_the_text_lies_beside_it():
    licence = manual.TOPICS.with_name("LICENSE.txt").read_text(encoding="utf8")
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in licence
    assert "Summary of the changes" in licence
