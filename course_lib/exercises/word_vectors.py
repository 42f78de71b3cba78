"""Exercises of lecture 06b, word vectors."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from course_lib.data import shakespeare
from course_lib.exercises.exercise import Exercise, Exercises


def pmi_of(counts: np.ndarray) -> np.ndarray:
    """How much more often than by chance, as a logarithm."""
    rows, columns = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    return np.log(counts * counts.sum() / (rows * columns))


def small_counts(rng: Generator) -> tuple:
    rows, columns = rng.choice(np.arange(2, 6), 2, replace=False)
    return (rng.integers(1, 30, (rows, columns)).astype(float),)


PMI_MISTAKES = {
    "The logarithm is missing.": lambda counts: np.exp(pmi_of(counts)),
    "The factor N is missing: compare probabilities, not counts.": lambda counts: (
        pmi_of(counts) - np.log(counts.sum())
    ),
    "That is in bits; use the natural logarithm.": lambda counts: (
        pmi_of(counts) / np.log(2)
    ),
    "You divided by the words' counts only; divide by the neighbours' as well.": (
        lambda counts: np.log(counts * counts.sum() / counts.sum(1, keepdims=True))
    ),
    "You divided by the neighbours' counts only; divide by the words' as well.": (
        lambda counts: np.log(counts * counts.sum() / counts.sum(0))
    ),
    "That is ln p(c | w); divide by p(c), too.": (
        lambda counts: np.log(counts / counts.sum(1, keepdims=True))
    ),
    "N is the sum of all counts, not the number of entries.": lambda counts: (
        pmi_of(counts) + np.log(counts.size / counts.sum())
    ),
    "Keep the negative entries: the positive part comes later.": lambda counts: (
        np.maximum(pmi_of(counts), 0)
    ),
    "The sign is turned round.": lambda counts: -pmi_of(counts),
}


def analogy(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    """The nearest direction, without the words of the question."""
    target = vectors[a] - vectors[b] + vectors[c]
    cosines = vectors @ target / np.linalg.norm(vectors, axis=1)
    cosines[[a, b, c]] = -np.inf
    return int(np.argmax(cosines))


def question(rng: Generator) -> tuple:
    """Vectors of very different lengths, so that a cosine is no dot product.

    In some instances all other words point away from the target: then what stands in
    the place of the three must be below every cosine.
    """
    vectors = rng.standard_normal((9, 3)) * rng.uniform(0.3, 4, (9, 1))
    a, b, c = map(int, rng.choice(9, 3, replace=False))
    if rng.random() < 0.3:
        away = vectors @ (vectors[a] - vectors[b] + vectors[c]) > 0
        away[[a, b, c]] = False
        vectors[away] *= -1
    return vectors.round(2), a, b, c


def included(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    target = vectors[a] - vectors[b] + vectors[c]
    return int(np.argmax(vectors @ target / np.linalg.norm(vectors, axis=1)))


def only_a_left_out(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    target = vectors[a] - vectors[b] + vectors[c]
    cosines = vectors @ target / np.linalg.norm(vectors, axis=1)
    cosines[a] = -np.inf
    return int(np.argmax(cosines))


def c_not_left_out(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    target = vectors[a] - vectors[b] + vectors[c]
    cosines = vectors @ target / np.linalg.norm(vectors, axis=1)
    cosines[[a, b]] = -np.inf
    return int(np.argmax(cosines))


def set_to_zero(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    target = vectors[a] - vectors[b] + vectors[c]
    cosines = vectors @ target / np.linalg.norm(vectors, axis=1)
    cosines[[a, b, c]] = 0
    return int(np.argmax(cosines))


def renumbered(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    target = vectors[a] - vectors[b] + vectors[c]
    cosines = vectors @ target / np.linalg.norm(vectors, axis=1)
    return int(np.argmax(np.delete(cosines, [a, b, c])))


def fourth(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    target = vectors[a] - vectors[b] + vectors[c]
    return int(np.argsort(-(vectors @ target) / np.linalg.norm(vectors, axis=1))[3])


def by_dot_product(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    scores = vectors @ (vectors[a] - vectors[b] + vectors[c])
    scores[[a, b, c]] = -np.inf
    return int(np.argmax(scores))


def by_distance(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    target = vectors[a] - vectors[b] + vectors[c]
    distances = np.linalg.norm(vectors - target, axis=1)
    distances[[a, b, c]] = np.inf
    return int(np.argmin(distances))


def of_unit_rows(vectors: np.ndarray, a: int, b: int, c: int) -> int:
    return analogy(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), a, b, c)


ANALOGY_MISTAKES = {
    "The three words of the question may not be the answer.": included,
    "All three words of the question are left out, not only the first.": (
        only_a_left_out
    ),
    "The third word of the question is left out as well.": c_not_left_out,
    "0 is not small enough: all other cosines may be negative.": set_to_zero,
    "np.delete numbers the rows that are left anew; give the number in `vectors`.": (
        renumbered
    ),
    "That is the fourth in order, but the three need not be the first three.": fourth,
    "That is the largest dot product: divide by the length of each row.": (
        by_dot_product
    ),
    "That is the nearest point; a cosine compares directions.": by_distance,
    "You normalised the rows before adding them.": of_unit_rows,
    "The sign of b is wrong: it is taken away, c is added.": (
        lambda vectors, a, b, c: analogy(vectors, a, c, b)
    ),
}


def vectors_within(reach: int, lexicon: Sequence[str], words: list[str]) -> np.ndarray:
    """PMI vectors of 60 numbers, from neighbours up to `reach` places away."""
    number = {word: i for i, word in enumerate(lexicon)}
    ids = np.array([number.get(word, -1) for word in words])
    beside = np.zeros((len(lexicon), len(lexicon)))
    for gap in range(1, reach + 1):
        left, right = ids[:-gap], ids[gap:]
        known = (left >= 0) & (right >= 0)
        np.add.at(beside, (left[known], right[known]), 1)
    beside += beside.T
    chance = np.outer(beside.sum(axis=1), beside.sum(axis=0)) / beside.sum()
    values, vectors = np.linalg.eigh(np.log(np.maximum(beside / chance, 1)))
    largest = np.argsort(-np.abs(values))[:60]
    rows = vectors[:, largest] * np.sqrt(np.abs(values[largest]))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def reach_compared(groups: dict, reaches=(1, 4, 16), most: int = 1500) -> dict:
    """Words whose nearest neighbour in the list is one of their own group.

    What the count does not measure: words outside the list, and whether a group is
    one of meaning (heart, eye) or of grammar (which words may stand in one place).
    Measured once, for reaches of 1, 4 and 16: 22, 23 and 23 of 24. With one text and 24
    words a difference of one or two is no result, so the question stays open: it takes
    more groups, and more than one text, to answer it.
    """
    words = re.findall("[a-z']+", shakespeare.text("train").lower())
    lexicon = [word for word, _ in Counter(words).most_common(most)]
    listed = [(word, name) for name, row in groups.items() for word in row.split()]
    found = {}
    for reach in reaches:
        vectors = vectors_within(reach, lexicon, words)
        here = vectors[[lexicon.index(word) for word, _ in listed]]
        nearest = (here @ here.T - 2 * np.eye(len(here))).argmax(axis=1)
        pairs = zip(nearest, listed, strict=True)
        found[reach] = sum(listed[i][1] == name for i, (_, name) in pairs)
    return found


EXERCISES = Exercises(
    "word_vectors",
    Exercise(1, "*", pmi_of, small_counts, PMI_MISTAKES),
    Exercise(2, "**", analogy, question, ANALOGY_MISTAKES, instances=12),
    Exercise(3, "***", reach_compared, helpers=(vectors_within,)),
)
check, solution = EXERCISES.check, EXERCISES.solution
