"""The Python manual as text: prose, each paragraph once, a fixed alphabet."""

import sys

import pytest
import torch

from course_lib.data import manual
from course_lib.data.installed import MissingDataError


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
    assert not manual.is_prose(block)


def test_a_topic_gives_its_prose_and_drops_its_code():
    long = "A sentence of the manual that is long enough to be kept" + " and kept" * 3
    topic = f"Title\n=====\n\n{long}’s\n   end.\n\n   * {long}.\n\n   x = [1, 2]\n"
    assert manual.prose(topic) == [f"{long}'s end.", f"{long}."]


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


def test_a_python_without_its_manual_is_told_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)
    with pytest.raises(MissingDataError, match="install the full standard library"):
        manual.load()
