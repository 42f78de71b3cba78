"""Exercises of lecture 08: other right answers pass, mistakes are named."""

import numpy as np
import pytest

from course_lib.exercises.attention import EXERCISES, ByNumber
from course_lib.exercises.exercise import examine


def soft(e, axis=-1):
    return np.exp(e) / np.exp(e).sum(axis=axis, keepdims=True)


RIGHT = {
    1: [lambda e, f: sum(a * row for a, row in zip(soft(e), f, strict=True))],
    2: [lambda s, f, Q, K, w: [w @ np.tanh(Q @ s + K @ row) for row in f]],
    3: [
        lambda e, m: soft(np.where(m, e, -1e9)),
        lambda e, m: np.exp(e) * m / (np.exp(e) * m).sum(axis=1, keepdims=True),
    ],
    4: [
        lambda a, k: np.mean([k[i, row.argmax()] for i, row in enumerate(a)]),
        lambda a, k: ((a == a.max(axis=1, keepdims=True)) & k).any(axis=1).mean(),
    ],
}


def inverted_softmax(e, m):
    """As one would write it, with the mask the wrong way round."""
    hidden = np.where(m, -np.inf, e)
    with np.errstate(invalid="ignore"):
        exp = np.exp(hidden - hidden.max(axis=1, keepdims=True))
        return exp / exp.sum(axis=1, keepdims=True)


def inverted_product(e, m):
    with np.errstate(invalid="ignore"):
        return np.exp(e) * ~m / (np.exp(e) * ~m).sum(axis=1, keepdims=True)


def filled_with_a_large_number(e, m):
    hidden = np.where(m, -1e9, e)
    return soft(hidden - hidden.max(axis=1, keepdims=True))


WRONG = [
    (3, inverted_softmax, "wrong way round"),
    (3, inverted_product, "wrong way round"),
    (3, filled_with_a_large_number, "wrong way round"),
    (3, lambda e, m: soft(e * m), r"exp\(0\) = 1"),
    (3, lambda e, m: soft(e) * m, "after the softmax"),
    (1, lambda e, f: soft(e)[:, None] * f, "add them up"),
    (2, lambda s, f, Q, K, w: (Q @ s + f @ K.T) @ w, "tanh is missing"),
    (2, lambda s, f, Q, K, w: (np.tanh(f @ K.T) + Q @ s).dot(w), "query outside"),
    (2, lambda s, f, Q, K, w: np.tanh(w + f @ K.T + Q @ s).sum(-1), "added under it"),
    (4, lambda a, k: k[:, a.argmax(axis=1)].mean(), "whole columns"),
    (4, lambda a, k: float((a * k).sum(axis=1).mean()), "weight on linked words"),
]


@pytest.mark.parametrize(
    ("number", "answer"), [(n, a) for n, answers in RIGHT.items() for a in answers]
)
def test_other_right_answers_pass(number, answer):
    assert examine(EXERCISES[number], answer) == "right"


@pytest.mark.parametrize(("number", "answer", "words"), WRONG)
def test_mistakes_as_students_write_them_are_named(number, answer, words):
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(examine(EXERCISES[number], answer))


def test_the_solution_of_the_experiment_asks_by_number_alone():
    """Other words written, same looks; and the looks differ from step to step."""
    import torch

    torch.manual_seed(0)
    model = ByNumber(11, 13)
    source = torch.tensor([[3, 4, 5, 2]])
    a, b = (model(source, torch.tensor([[6, y, 8, 2]]))[1] for y in (7, 9))
    assert torch.equal(a, b)
    assert not torch.allclose(a[0, 0], a[0, 1])
