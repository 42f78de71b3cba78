"""Exercises of lecture 02: other right answers pass, mistakes are named."""

import numpy as np
import pytest
from exercise_cases import variants

from course_lib.exercises.simple_rnn import (
    EXERCISES,
    cut_gradients,
    how_far_back,
)
from course_lib.numpy_cells import RNNWeights, rnn_backward, rnn_forward, text


def count(d_x, d_h, d_y):
    return (d_h + d_x + 1) * d_h + (d_h + 1) * d_y


def relu_jacobian(W_h, a):
    return np.diag((a > 0) * 1.0) @ W_h


def back(g, h, direct, W_h):
    return direct + np.einsum("bi,bi,ij->bj", g, 1 - h * h, W_h)


def pairs(T, K):
    return sum(1 for t in range(1, T + 1) for tau in range(1, t + 1) if t - tau <= K)


def flipped_in_place(W_h, a):
    W_h *= (a > 0)[:, None]
    return W_h


RIGHT = [(1, count), (2, relu_jacobian), (3, back), (4, pairs)]
WRONG = [
    (1, lambda x, h, y: h * h + h * x + h, "read-out"),
    (1, lambda x, h, y: h * h + h * x + y * h, "biases are missing"),
    (1, lambda x, h, y: h * (h + x + 1) + y * h, "bias b_y"),
    (1, lambda x, h, y: h * (h + x) + y * (h + 1), "bias b_h"),
    (1, lambda x, h, y: count(x, h, y) + h, "a second bias"),
    (1, lambda x, h, y: count(y, h, x), "exchanged"),
    (1, lambda x, h, y: 87, "expected"),
    (2, lambda W, a: W * (a > 0), "columns"),
    (2, lambda W, a: relu_jacobian(W, a).T, "transpose"),
    (2, lambda W, a: (1 - np.tanh(a) ** 2)[:, None] * W, "tanh"),
    (2, lambda W, a: np.maximum(a, 0)[:, None] * W, "slope"),
    (2, lambda W, a: np.diag((a > 0) * 1.0) * W, "matrix product"),
    (2, lambda W, a: np.diag(np.where(a > 0, 1, 0)), "slopes alone"),
    (2, lambda W, a: W[:1], "shape (1, "),
    (2, flipped_in_place, "changes its arguments"),
    (3, lambda g, h, d, W: back(g, h, 0, W), "direct effect"),
    (3, lambda g, h, d, W: back(g, h, d, W.T), "left to right"),
    (3, lambda g, h, d, W: d + g @ W, "slope of the tanh"),
    (3, lambda g, h, d, W: d + (g @ W) * (1 - h * h), "before W_h"),
    (3, lambda g, h, d, W: back(g, np.tanh(h), d, W), "already"),
    (3, lambda g, h, d, W: (d + g @ W) * (1 - h * h), "does not pass the tanh"),
    (3, lambda g, h, d, W: back(d + g, h, 0, W), "does not pass step t + 1"),
    (3, lambda g, h, d, W: d + (g * (1 - h) ** 2) @ W, "not (1 - h)²"),
    (4, lambda T, K: pairs(T, K - 1), "K + 1 terms"),
    (4, lambda T, K: T * (K + 1), "first K steps"),
    (4, lambda T, K: pairs(T, T), "without truncation"),
    (4, lambda T, K: K * T, "two things"),
    (4, lambda T, K: sum(min(t + 1, K + 1) for t in range(1, T + 1)), "not t + 1"),
    (4, lambda T, K: pairs(T - 1, K), "run from 1 to T"),
    (4, lambda T, K: pairs(T, K) + 0.4, "expected"),
]

test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


@pytest.fixture
def network() -> tuple:
    """Weights, inputs, states and their gradients, first state, and the cache."""
    rng = np.random.default_rng(0)
    weights = RNNWeights.init(rng, 3, 5)
    x, dh = rng.standard_normal((2, 7, 3)), rng.standard_normal((2, 7, 5))
    h_0 = rng.standard_normal((2, 5))
    h, cache = rnn_forward(weights, x, h_0)
    return weights, x, h, dh, h_0, cache


def test_a_cut_behind_the_end_cuts_nothing(network):
    weights, x, h, dh, h_0, cache = network
    full, *_ = rnn_backward(weights, cache, dh)
    uncut = cut_gradients(weights, x, h, dh, 7, h_0)
    for array, expected in zip(uncut, text.arrays(full), strict=True):
        np.testing.assert_allclose(array, expected, atol=1e-14)


def test_cut_after_every_letter_nothing_goes_through_time(network):
    weights, x, h, dh, h_0, _ = network
    cut = dict(
        zip(vars(weights), cut_gradients(weights, x, h, dh, 1, h_0), strict=True)
    )
    delta = dh * (1 - h**2)
    before = np.concatenate([h_0[:, None], h[:, :-1]], axis=1)
    np.testing.assert_allclose(cut["W_h"], np.einsum("btm,btn->mn", delta, before))
    np.testing.assert_allclose(cut["b_h"], delta.sum(axis=(0, 1)))


def test_the_experiment_of_exercise_5_runs_and_learns():
    found = how_far_back(cuts=(1, 50), seeds=(0,), steps=60)
    assert set(found) == {1, 50}
    assert all(loss < 3.35 for (loss,) in found.values())  # the unigram's
