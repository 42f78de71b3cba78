"""Exercises of lecture 09, attention layers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from course_lib.exercises.verdict import judge


def softmax(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """exp of the scores, divided by their sum along the axis"""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def check_read(answer: Callable) -> None:
    """softmax(K q / sqrt(d_q)) V for one query"""
    rng = np.random.default_rng(3)
    q, K, V = rng.standard_normal(5), rng.standard_normal((7, 5)), rng.random((7, 3))
    scores, root = K @ q, np.sqrt(5)
    mistakes = {
        "The scale 1/sqrt(d_q) is missing.": softmax(scores) @ V,
        "The scale belongs inside the softmax: outside, the weights no longer add up "
        "to 1.": softmax(scores) / root @ V,
        "You divided by d_q; the standard deviation is its root.": softmax(scores / 5)
        @ V,
        "The root is of the width of the query, not of the number of keys.": softmax(
            scores / np.sqrt(7)
        )
        @ V,
        "These are the weights; now take the weighted sum of the values.": softmax(
            scores / root
        ),
        "This returns the value with the largest score: hard attention.": V[
            scores.argmax()
        ],
    }
    judge("Exercise 1", answer, (q, K, V), softmax(scores / root) @ V, mistakes)


def check_score_variance(answer: Callable) -> None:
    """d (s^4 + 2 mu^2 s^2)"""
    d, mu, s = 7, 0.5, 2.0
    mistakes = {
        "That is for mean 0; with a mean, a product of two entries varies more.": (
            d * s**4
        ),
        "You left out s: the formula must hold for any standard deviation.": (
            d * (1 + 2 * mu**2)
        ),
        "That is E[(q.k)^2] of one entry times d; subtract the square of the mean.": (
            d * (s**2 + mu**2) ** 2
        ),
        "That is the standard deviation, the root of what is asked.": np.sqrt(
            d * (s**4 + 2 * mu**2 * s**2)
        ),
        "That is one entry; there are d independent ones.": s**4 + 2 * mu**2 * s**2,
    }
    right = d * (s**4 + 2 * mu**2 * s**2)
    judge("Exercise 2", answer, (d, mu, s), right, mistakes)


def check_window_mask(answer: Callable) -> None:
    """True where n - w < m <= n"""
    N, w = 7, 3

    def called(N: int, w: int) -> Any:
        got = answer(N, w)
        return got.numpy() if isinstance(got, torch.Tensor) else got

    gap = np.subtract.outer(np.arange(N), np.arange(N))  # query minus key
    right = (gap >= 0) & (gap < w)
    mistakes = {
        "True must mean 'may look'; yours is True where it is hidden.": ~right,
        "w words in all, the query's own among them; yours reads w + 1.": (
            (gap >= 0) & (gap <= w)
        ),
        "This also looks ahead: a key after the query must be hidden.": np.abs(gap) < w,
        "This looks ahead and not back: rows are queries, columns are keys.": right.T,
        "This is the causal mask; the words too far back must be hidden too.": gap >= 0,
        "A word may read itself: the diagonal is missing.": (gap > 0) & (gap < w),
    }
    judge("Exercise 3", called, (N, w), right, mistakes)


def check_split_heads(answer: Callable) -> None:
    """(B, T, H d) -> (B, H, T, d)"""
    B, T, H, d = 2, 5, 3, 7
    x = np.random.default_rng(5).standard_normal((B, T, H * d))

    def called(x: np.ndarray, H: int) -> Any:
        got = answer(torch.from_numpy(x), H)
        return got.numpy() if isinstance(got, torch.Tensor) else got

    mistakes = {
        "One reshape to (B, H, T, d) mixes time steps: first (B, T, H, d), then swap "
        "the axes 1 and 2.": x.reshape(B, H, T, d),
        "The heads stand after the time; swap the axes 1 and 2.": x.reshape(B, T, H, d),
        "Each head must own neighbouring columns: (B, T, H, d), not (B, T, d, H).": (
            x.reshape(B, T, d, H).transpose(0, 3, 1, 2)
        ),
    }
    right = x.reshape(B, T, H, d).transpose(0, 2, 1, 3)
    judge("Exercise 4", called, (x, H), right, mistakes)


def check_multiply_adds(answer: Callable) -> None:
    """2 N d^2 + 2 M d^2 + 2 N M d"""
    N, M, d, H = 5, 7, 12, 3
    core = 2 * N * M * d
    right = 2 * (N + M) * d * d + core
    mistakes = {
        "The projections are missing; this is attention alone.": core,
        "The output matrix W_o is missing.": right - N * d * d,
        "Every head is d / H wide, so H heads cost what one wide head costs.": (
            2 * (N + M) * d * d + H * core
        ),
        "Keys and values are projected for M positions, not N.": 4 * N * d * d + core,
        "A V costs as much again as Q K^T.": right - N * M * d,
        "You counted multiplications and additions apart; a pair counts as one.": (
            2 * right
        ),
    }
    judge("Exercise 5", answer, (N, M, d, H), right, mistakes)
