"""Exercises of lecture 08b: other right answers pass, mistakes are named."""

import numpy as np
import pytest

from course_lib.exercises.exercise import examine
from course_lib.exercises.looking_at_pictures import EXERCISES


def bank_by_loops(g, delta, sigma, N, size):
    rows = []
    for i in range(1, N + 1):
        mu = g + (i - N / 2 - 0.5) * delta
        bell = [np.exp(-((a - mu) ** 2) / (2 * sigma**2)) for a in range(size)]
        rows.append(np.array(bell) / sum(bell))
    return np.array(rows)


def one_sum(g, delta, sigma, N, size):
    mu = g + (np.arange(1, N + 1) - N / 2 - 0.5) * delta
    bells = np.exp(-((np.arange(size) - mu[:, None]) ** 2) / (2 * sigma**2))
    return bells / np.sum(bells)


RIGHT = {
    1: lambda e: np.exp(e - e.max()) / np.exp(e - e.max()).sum(),
    2: lambda a, p: ((a * p).sum(), (a * p[:, None]).sum()),
    3: lambda raw: [np.exp(raw[: t + 1]).sum() for t in range(len(raw))],
    4: bank_by_loops,
}
WRONG = [
    (1, lambda e: np.exp(e) / np.exp(e).sum(axis=-1, keepdims=True), "Each row"),
    (1, lambda e: np.exp(e) / np.exp(e).sum(axis=-1, keepdims=True) / 3, "same share"),
    (2, lambda a, p: ((a * p[:, None]).sum(), (a * p).sum()), "exchanged"),
    (3, lambda raw: np.cumsum(raw), "exp is missing"),
    (3, lambda raw: [np.exp(raw[:t]).sum() for t in range(5)], "first step counts"),
    (4, lambda *a: bank_by_loops(*a).T, "a bell is a row"),
    (4, one_sum, "one sum"),
]


@pytest.mark.parametrize(("number", "answer"), RIGHT.items())
def test_other_right_answers_pass(number, answer):
    assert examine(EXERCISES[number], answer) == "right"


@pytest.mark.parametrize(("number", "answer", "words"), WRONG)
def test_mistakes_as_students_write_them_are_named(number, answer, words):
    assert words in examine(EXERCISES[number], answer)
