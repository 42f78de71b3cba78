"""Exercises of lecture 11: other right answers, and mistakes as students write them."""

import numpy as np
import pytest
import torch

from course_lib.exercises import pretraining as ex
from course_lib.exercises.exercise import RIGHT, examine
from course_lib.models.gpt import GPT


def counted(layers, d, words, context):
    with torch.device("meta"):
        model = GPT(words, d, 1, layers, context)
    return sum(p.numel() for p in model.parameters())


def searched(tokens):
    places = [n for n, token in enumerate(tokens[:-1]) if token == tokens[-1]]
    return tokens[places[-1] + 1] if places else "?"


def hidden(tokens, u, other, mask):
    out = tokens.copy()
    out[u < 0.135] = other[u < 0.135]
    out[u < 0.8 * 0.15] = mask
    return out


def pooled(states, real):

    rows = zip(states, real, strict=True)
    return np.stack([s[r].mean(axis=0) for s, r in rows])


def overwritten(tokens, u, other, mask):
    out = tokens.copy()
    out[u < 0.12] = mask
    out[u < 0.135] = other[u < 0.135]
    return out


def masked_first(tokens, u, other, mask):
    out = tokens.copy()
    out[u < 0.15] = mask
    out[(u >= 0.12) & (u < 0.135)] = other[(u >= 0.12) & (u < 0.135)]
    return out


def never_at_the_start(tokens):
    for n in range(len(tokens) - 2, 0, -1):
        if tokens[n] == tokens[-1]:
            return tokens[n + 1]
    return "?"


def a_position(tokens):
    places = [n for n, token in enumerate(tokens[:-1]) if token == tokens[-1]]
    return places[-1] + 1 if places else "?"


def last_two_shares_exchanged(tokens, u, other, mask):
    out = tokens.copy()
    out[u < 0.15] = other[u < 0.15]
    out[u < 0.135] = tokens[u < 0.135]
    out[u < 0.12] = mask
    return out


@pytest.mark.parametrize(
    ("number", "answer"), [(1, counted), (2, searched), (4, hidden), (5, pooled)]
)
def test_other_right_answers(number, answer):
    assert examine(ex.EXERCISES[number], answer) == RIGHT


@pytest.mark.parametrize(
    ("number", "answer", "said"),
    [
        (1, lambda L, d, V, C: counted(L, d, V, C) + V * d, "tied"),
        (1, lambda L, d, V, C: 12 * L * d * d, "rule of thumb"),
        (1, lambda L, d, V, C: 13, "This instance is wrong"),
        (2, lambda t: t[t[:-1].index(t[-1]) + 1] if t[-1] in t[:-1] else "?", "first"),
        (2, lambda t: t[t.index(t[-1]) + 1], "IndexError"),
        (2, never_at_the_start, "Position 0"),
        (2, a_position, "That is a position"),
        (2, lambda t: max(t, key=t.count), "most often"),
        (4, last_two_shares_exchanged, "shares are exchanged"),
        (5, lambda s, r: (s * r[..., None]).sum(axis=1) / s.shape[2], "width d"),
        (4, overwritten, "write over the masks"),
        (4, masked_first, "stays masked"),
        (4, lambda t, u, o, m: t, "Nothing is hidden"),
        (5, lambda s, r: s.mean(axis=1), "Padding is averaged"),
        (5, lambda s, r: s.sum(axis=2), "shape"),
    ],
)
def test_mistakes_as_students_write_them(number, answer, said):
    verdict = examine(ex.EXERCISES[number], answer)
    assert verdict != RIGHT
    assert said in verdict


def test_the_open_exercise_trains():
    shares = ex.smeared_and_tested(0, steps=1)
    assert len(shares) == 2
    assert all(0 <= share <= 1 for share in shares)
