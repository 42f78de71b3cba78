"""The works of Shakespeare: clean, split by work, the same numbers everywhere."""

import hashlib
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from course_lib.data import installed, shakespeare
from course_lib.data.installed import MissingDataError

SPLITS = shakespeare.SPLITS
# What every Python on every system must learn and encode: see `fingerprint`.
EXPECTED = {
    78: "337f0d1d1d47c28c0e3a1803dc06bf790e387b5e72914edcabe3f0dc66fedc6e",
    389: "1f4fa4f41cade07fd547b45cd575a277d262103e02a77d0bf01c7d8f371cabee",
}


def fingerprint(vocabulary: int) -> str:
    """A hash of the tokens and of all numbers."""
    corpus = shakespeare.tokens(vocabulary)
    digest = hashlib.sha256("\0".join(corpus.vocabulary).encode())
    for split in SPLITS:
        digest.update(getattr(corpus, split).astype("<i8").tobytes())
    return digest.hexdigest()


def test_all_works_are_there_in_three_splits():
    works = shakespeare.works()
    assert len(works) == len({work.title for work in works}) == 42
    held_back = {
        split: {work.title for work in works if work.split == split} for split in SPLITS
    }
    assert held_back["validation"] == {"Twelfth Night", "King John", "Macbeth"}
    assert held_back["test"] == {"The Tempest", "King Henry VIII", "Othello"}
    assert len(held_back["train"]) == 36


def test_known_lines_are_in_the_right_split():
    assert "If music be the food of love, play on" in shakespeare.text("validation")
    assert "We are such stuff" in shakespeare.text("test")
    assert "To be, or not to be,--that is the question" in shakespeare.text("train")
    with pytest.raises(ValueError, match="'valid'"):
        shakespeare.text("valid")


def test_no_passage_stands_in_two_splits():
    """Sixty letters in a row are never the same; stage directions reach fifty."""
    passages = {}
    for split in SPLITS:
        text = shakespeare.text(split)
        passages[split] = {text[i : i + 60] for i in range(len(text) - 59)}
    assert not passages["train"] & passages["validation"]
    assert not passages["train"] & passages["test"]
    assert not passages["validation"] & passages["test"]


@pytest.mark.parametrize("split", SPLITS)
def test_nothing_of_project_gutenberg_is_left(split):
    text = shakespeare.text(split)
    notices = r"(?i)gutenberg|\be-?texts?\b|https?:|www\.|copyright|public domain|@|\*"
    assert not re.search(notices, text)
    assert "THE END" not in text
    assert "by William Shakespeare" not in text
    assert set(text) <= set(shakespeare.LETTERS)
    assert not re.search(r"\n{3}|  | \n|\n ", text)


def test_clean_keeps_the_text_alone():
    title = "A Header\nTITLE\nby William Shakespeare\n"
    raw = title + "\n\nACT {1}  \n\n\n\n _O_ me/\n\nTHE END"
    assert shakespeare.clean(raw) == "ACT [1]\n\nO me,\n"
    with pytest.raises(ValueError, match="where does the text begin"):
        shakespeare.clean("ACT 1\n")


def test_letters_are_places_in_a_stated_alphabet():
    corpus = shakespeare.letters()
    assert "".join(corpus.vocabulary) == shakespeare.LETTERS
    assert len(shakespeare.LETTERS) == len(set(shakespeare.LETTERS)) == 78
    assert corpus.encode("\n Zz").tolist() == [0, 1, 51, 77]
    assert corpus.train.dtype == np.int64
    assert set(corpus.train) == set(range(78))  # none is there for nothing
    with pytest.raises(ValueError, match=r"\['é', '☃'\]"):
        corpus.encode("caf☃é")


@pytest.mark.parametrize("vocabulary", [78, 389])
def test_round_trip(vocabulary):
    corpus = shakespeare.tokens(vocabulary)
    assert len(corpus.vocabulary) == vocabulary
    for split in SPLITS:
        text = shakespeare.text(split)
        numbers = getattr(corpus, split)
        assert corpus.decode(numbers) == text
        assert np.array_equal(corpus.encode(text), numbers)
        assert numbers.max() < vocabulary


def test_vocabulary_has_all_letters():
    with pytest.raises(ValueError, match="78 are the letters"):
        shakespeare.tokens(77)


@pytest.mark.parametrize("vocabulary", EXPECTED)
def test_same_numbers_on_every_python(vocabulary):
    assert fingerprint(vocabulary) == EXPECTED[vocabulary]


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
def test_neither_hash_order_nor_locale_matters(seed):
    code = f"import test_shakespeare as t; print(t.fingerprint({max(EXPECTED)}))"
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    settings = {"PYTHONHASHSEED": seed, "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **settings, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == EXPECTED[max(EXPECTED)]


@pytest.fixture
def anew():
    """Texts are read once in a process; here they are read again, before and after."""
    shakespeare.works.cache_clear()
    yield
    shakespeare.works.cache_clear()


@pytest.mark.usefixtures("anew")
def test_missing_package_gets_one_clear_line(monkeypatch):
    monkeypatch.setattr(installed, "find_spec", lambda name: None)
    with pytest.raises(MissingDataError) as caught:
        shakespeare.works()
    assert str(caught.value) == (
        "the works of Shakespeare come with the package shksprdata, which is not "
        "installed: ./course setup"
    )


@pytest.mark.usefixtures("anew")
def test_changed_text_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(shakespeare, "folder", lambda *_: tmp_path)
    (tmp_path / "alls_well_that_ends_well_gut.txt").write_text("All's well.\n")
    with pytest.raises(MissingDataError, match="alls_well.*missing or changed"):
        shakespeare.works()
