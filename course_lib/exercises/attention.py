"""Exercises of lecture 08: scores, weights, contexts and windows."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def softmax(e: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """exp(e) over its sum along `axis`; None: over all entries."""
    exp = np.exp(e - e.max())
    return exp / exp.sum(axis=axis, keepdims=True)


def check_context(answer: Callable) -> None:
    """The weighted sum of the features, weights from a softmax"""
    rng = np.random.default_rng(0)
    e, f = 2 * rng.standard_normal(5), rng.standard_normal((5, 3))
    alpha = softmax(e)
    mistakes = {
        "The scores are not weights yet: exponentiate and divide by the sum.": e @ f,
        "exp is there, the division by the sum is missing.": np.exp(e) @ f,
        "You divided the raw scores by their sum; the softmax takes exp first.": (
            e / e.sum() @ f
        ),
        "Those are the weighted features; add them up over t.": alpha[:, None] * f,
        "You took the feature with the largest score: that has no gradient in e.": (
            f[e.argmax()]
        ),
        "That is the plain mean: the scores are not used.": f.mean(axis=0),
        "Those are the weights; the context is their sum with the features.": alpha,
    }
    judge("Exercise 1", answer, (e, f), alpha @ f, mistakes)


def check_additive_scores(answer: Callable) -> None:
    """w . tanh(W_q s + W_k f_t) for every t"""
    rng = np.random.default_rng(1)
    s, f = rng.standard_normal(3), rng.standard_normal((5, 2))
    W_q, W_k = rng.standard_normal((7, 3)), rng.standard_normal((7, 2))
    w = rng.standard_normal(7)
    inside = W_q @ s + f @ W_k.T
    right = np.tanh(inside) @ w
    mistakes = {
        "The tanh is missing: then the query shifts all scores alike.": inside @ w,
        "The query is not used: every word would look at the same place.": (
            np.tanh(f @ W_k.T) @ w
        ),
        "tanh was taken of each part; add first, then tanh.": (
            (np.tanh(W_q @ s) + np.tanh(f @ W_k.T)) @ w
        ),
        "The features are not used: all scores would be equal.": (
            np.full(5, np.tanh(W_q @ s) @ w)
        ),
        "Those are the weights already; the scores were asked for.": softmax(right),
        "w is missing: one number per feature, not d_a.": np.tanh(inside),
    }
    judge("Exercise 2", answer, (s, f, W_q, W_k, w), right, mistakes)


def check_masked_weights(answer: Callable) -> None:
    """Softmax over the places where mask is True, zero elsewhere"""
    rng = np.random.default_rng(2)
    e = rng.standard_normal((3, 5))
    mask = np.arange(5) < np.array([[5], [3], [1]])
    hidden = np.where(mask, e, -np.inf)
    right = softmax(hidden)
    mistakes = {
        "The mask is not used: padding takes weight from the words.": softmax(e),
        "You set masked weights to 0 after the softmax: rows no longer sum to 1.": (
            softmax(e) * mask
        ),
        "Masked scores were set to 0; exp(0) = 1 still takes weight.": (
            softmax(np.where(mask, e, 0))
        ),
        "The softmax runs over the batch; each row needs its own.": (
            softmax(hidden, axis=0)
        ),
        "One softmax over the whole array; each row needs its own.": (
            softmax(hidden, axis=None)
        ),
        "The mask is the wrong way round: True marks a word.": _inverse(e, mask),
    }
    judge("Exercise 3", answer, (e, mask), right, mistakes)


def _inverse(e: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """What one gets by hiding the words; row 0 has nothing left and becomes nan."""
    exp = np.where(mask, 0.0, np.exp(e))
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(exp / exp.sum(axis=1, keepdims=True))


def check_centre(answer: Callable) -> None:
    """Sum of weight times place, x along the columns, y along the rows"""
    alpha = softmax(2 * np.random.default_rng(3).standard_normal((4, 4)), axis=None)
    place = np.array([1.0, 4.0, 9.0, 16.0])
    x, y = alpha.sum(axis=0) @ place, alpha.sum(axis=1) @ place
    row, column = np.unravel_index(alpha.argmax(), alpha.shape)
    mistakes = {
        "x and y are exchanged: rows run downwards, so they belong to y.": (y, x),
        "That is the place of the largest weight, not the centre of mass.": (
            place[column],
            place[row],
        ),
        "The weights are not used.": (place.mean(), place.mean()),
        "The places are not used: you averaged the indices.": (
            alpha.sum(axis=0) @ np.arange(4),
            alpha.sum(axis=1) @ np.arange(4),
        ),
    }
    judge("Exercise 4", answer, (alpha, place), (x, y), mistakes)


def check_window_centres(answer: Callable) -> None:
    """kappa_t = kappa_{t-1} + exp(raw_t), starting from 0"""
    raw = np.array([-0.5, 0.3, -1.2, 0.1, -2.0])
    mistakes = {
        "exp is missing: a negative output would move the window back.": raw.cumsum(),
        "That is the step at each t; the steps add up.": np.exp(raw),
        "You added first and exponentiated then; each step is positive by itself.": (
            np.exp(raw.cumsum())
        ),
        "The raw output is no place; exponentiate and add up.": raw,
        "The first step counts too: kappa_1 = exp(raw_1).": np.concatenate(
            [[0.0], np.exp(raw).cumsum()[:-1]]
        ),
    }
    judge("Exercise 5", answer, (raw,), np.exp(raw).cumsum(), mistakes)
