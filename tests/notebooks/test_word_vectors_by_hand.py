"""What companion 06b says of words and has no cell for: computed here once more."""

import re
from collections import Counter

import nbformat
import numpy as np
import pytest
from lectures import NOTEBOOKS

from course_lib.data import shakespeare
from course_lib.exercises.word_vectors import vectors_within

TEXT = shakespeare.text("train")
WITHOUT_HEADINGS = re.sub(r"(?m)^[A-Z][A-Z .']+\.\s*$", "", TEXT)


@pytest.fixture(scope="module")
def page() -> dict:
    """The questions and the groups, as they stand on the page."""
    nb = nbformat.read(NOTEBOOKS / "06b_word_vectors.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {}
    exec(source["analogy-real"].split("answers =")[0], names)
    exec(source["groups"].split("listed =")[0], names)
    return names


class Words:
    """The 1,500 most frequent words of a text and their vectors."""

    def __init__(self, text: str) -> None:
        self.all = re.findall("[a-z']+", text.lower())
        self.times = Counter(self.all)
        self.lexicon = [word for word, _ in self.times.most_common(1500)]
        self.number = {word: i for i, word in enumerate(self.lexicon)}
        self.vectors = vectors_within(4, self.lexicon, self.all)

    def of(self, word: str) -> np.ndarray:
        return self.vectors[self.number[word]]

    def nearest(self, target: np.ndarray, left_out: tuple, many: int = 1) -> list[str]:
        order = (self.lexicon[i] for i in np.argsort(-self.vectors @ target))
        return [word for word in order if word not in left_out][:many]

    def answers(self, questions: list) -> list[str]:
        """The word that each question leads to, its three words left out."""
        return [
            self.nearest(self.of(a) - self.of(b) + self.of(c), (a, b, c))[0]
            for a, b, c, _ in questions
        ]


@pytest.fixture(scope="module")
def whole() -> Words:
    return Words(TEXT)


@pytest.fixture(scope="module")
def spoken() -> Words:
    return Words(WITHOUT_HEADINGS)


def meetings(words: list[str], one: str, other: str) -> int:
    """How often the two stand within four places of each other."""
    at = [np.array([word == name for word in words]) for name in (one, other)]
    return sum(
        int((at[k][:-gap] & at[1 - k][gap:]).sum())
        for k in (0, 1)
        for gap in (1, 2, 3, 4)
    )


def test_kings_stand_in_headings(whole, spoken):
    assert len(re.findall(r"(?m)^KING RICHARD\.\s*$", TEXT)) == 234
    assert meetings(whole.all, "henry", "king") == 339
    assert meetings(spoken.all, "henry", "king") == 86
    assert spoken.nearest(spoken.of("king"), ("king",), 5)[4] == "queen"


def test_analogies_without_the_headings(page, spoken):
    questions = page["QUESTIONS"]
    found = spoken.answers(questions)
    right = [said == hoped for said, (*_, hoped) in zip(found, questions, strict=True)]
    assert sum(right) == 5
    kings = [
        said for said, (a, *_) in zip(found, questions, strict=True) if a == "king"
    ]
    assert kings == ["queen", "queen"]
    assert found[0] == "lady"  # husband - he + she


def test_the_step_to_she_leads_to_daughter_from_three_relatives(whole, spoken):
    asked = [(word, "he", "she", "") for word in ("father", "son", "brother")]
    assert whole.answers(asked) == ["daughter"] * 3
    assert spoken.answers(asked) == ["daughter"] * 3


def test_she_is_the_word_nearest_to_her(whole):
    assert whole.nearest(whole.of("her"), ("her",)) == ["she"]


def test_plain_counts_find_the_groups_and_frequency_does_not(page, whole):
    groups = page["GROUPS"].items()
    listed = [(word, name) for name, row in groups for word in row.split()]

    def own_group(closeness: np.ndarray) -> int:
        """Words whose closest other word is of their group."""
        np.fill_diagonal(closeness, -np.inf)
        closest = [listed[i][1] for i in closeness.argmax(axis=1)]
        return sum(a == b for a, (_, b) in zip(closest, listed, strict=True))

    ids = np.array([whole.number.get(word, -1) for word in whole.all])
    beside = np.zeros((1500, 1500))
    for gap in (1, 2, 3, 4):
        left, right = ids[:-gap], ids[gap:]
        known = (left >= 0) & (right >= 0)
        np.add.at(beside, (left[known], right[known]), 1)
    values, vectors = np.linalg.eigh(beside + beside.T)
    largest = np.argsort(-np.abs(values))[:60]
    rows = vectors[:, largest] * np.sqrt(np.abs(values[largest]))
    here = rows[[whole.number[word] for word, _ in listed]]
    here /= np.linalg.norm(here, axis=1, keepdims=True)
    assert own_group(here @ here.T) == 23
    often = np.array([whole.times[word] for word, _ in listed], dtype=float)
    assert own_group(-np.abs(often[:, None] - often)) == 3
