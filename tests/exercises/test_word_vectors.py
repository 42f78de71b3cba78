"""Exercises of lecture 06b: other right answers pass, mistakes are named."""

import numpy as np
from exercise_cases import variants

from course_lib.exercises.word_vectors import EXERCISES, reach_compared


def pmi_by_probabilities(counts):
    p = counts / counts.sum()
    return np.log(p) - np.log(p.sum(axis=1)[:, None]) - np.log(p.sum(axis=0))


def analogy(vectors, a, b, c, unit=True, exclude=True, out=None):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    score = (vectors / lengths if unit else vectors) @ (
        vectors[a] - vectors[b] + vectors[c]
    )
    others = [
        i for i in range(len(vectors)) if not exclude or i not in (out or (a, b, c))
    ]
    return max(others, key=lambda i: score[i])


def unit(vectors):
    return np.array([row / np.sqrt(row @ row) for row in vectors])


def cosines(E, a, b, c):
    return unit(E) @ (E[a] - E[b] + E[c])


def set_to(value, E, a, b, c):
    score = cosines(E, a, b, c)
    score[[a, b, c]] = value
    return int(score.argmax())


RIGHT = [(1, pmi_by_probabilities), (2, analogy)]
WRONG = [
    (1, lambda n: np.exp(pmi_by_probabilities(n)), "logarithm is missing"),
    (1, lambda n: np.log(n / n.sum(1, keepdims=True) / n.sum(0)), "factor N"),
    (1, lambda n: pmi_by_probabilities(n) / np.log(2), "in bits"),
    (1, lambda n: np.log(n / n.sum(1, keepdims=True) * n.sum()), "neighbours' as well"),
    (1, lambda n: np.log(n / n.sum(0) * n.sum()), "words' as well"),
    (1, lambda n: np.log(n / n.sum(1)[:, None]), "divide by p(c)"),
    (1, lambda n: np.log(n * n.size / np.outer(n.sum(1), n.sum(0))), "number of entr"),
    (1, lambda n: pmi_by_probabilities(n).clip(0), "negative entries"),
    (1, lambda n: -pmi_by_probabilities(n), "sign"),
    (2, lambda E, a, b, c: analogy(E, a, b, c, exclude=False), "three words"),
    (2, lambda E, a, b, c: analogy(E, a, b, c, out=(a,)), "not only the first"),
    (2, lambda E, a, b, c: analogy(E, a, b, c, out=(a, b)), "third word"),
    (2, lambda E, a, b, c: analogy(E, a, b, c, unit=False), "dot product"),
    (2, lambda E, a, b, c: analogy(unit(E), a, b, c), "before adding"),
    (2, lambda E, a, b, c: analogy(unit(E), a, b, c, unit=False), "before adding"),
    (2, lambda E, a, b, c: analogy(E, b, a, c), "expected"),
    (2, lambda E, a, b, c: set_to(0, E, a, b, c), "may be negative"),
    (
        2,
        lambda E, a, b, c: int(np.delete(cosines(E, a, b, c), [a, b, c]).argmax()),
        "anew",
    ),
    (2, lambda E, a, b, c: int(np.argsort(cosines(E, a, b, c))[-4]), "fourth"),
    (2, lambda E, a, b, c: analogy(E, a, c, b), "sign of b"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_open_exercise_counts_words_that_find_their_group():
    groups = {"numbers": "two three", "body": "hand heart"}
    found = reach_compared(groups, reaches=(4,), most=300)
    assert set(found) == {4}
    assert 0 <= found[4] <= 4
