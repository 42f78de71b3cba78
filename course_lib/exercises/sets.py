"""Exercises of lecture 14, sets and images."""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.exercises.verdict import judge


def share(kernel: np.ndarray) -> np.ndarray:
    """divided by their sum"""
    return kernel / kernel.sum()


def check_kernel_weights(answer: Callable) -> None:
    """softmax of -(x - x_i)^2 / (2 ell^2)"""
    x, known, ell = 0.3, np.array([-1.0, 0.0, 0.7, 1.9, 2.2]), 0.6
    gap = x - known
    kernel = np.exp(-(gap**2) / (2 * ell**2))
    mistakes = {
        "They must add up to 1: divide by their sum.": kernel,
        "The 2 in 2 ell^2 is missing.": share(np.exp(-(gap**2) / ell**2)),
        "ell must be squared, like the distance that it measures.": share(
            np.exp(-(gap**2) / (2 * ell))
        ),
        "The distance must be squared.": share(np.exp(-abs(gap) / (2 * ell**2))),
        "The sign is wrong: far points get most of the weight.": share(1 / kernel),
        "These are the scores; the softmax is missing.": -(gap**2) / (2 * ell**2),
    }
    judge("Exercise 1", answer, (x, known, ell), share(kernel), mistakes)


def check_patches(answer: Callable) -> None:
    """(H, W) -> (HW / p^2, p^2), everything row by row"""
    H, W, p = 4, 6, 2
    image = np.arange(H * W, dtype=float).reshape(H, W)
    axes = image.reshape(H // p, p, W // p, p)

    def flat(*order: Any) -> np.ndarray:
        return axes.transpose(order).reshape(-1, p * p)

    mistakes = {
        "A plain reshape cuts rows into strips; a patch takes pixels from p rows.": (
            image.reshape(-1, p * p)
        ),
        "The pixels within a patch run down the columns; they should run along rows.": (
            flat(0, 2, 3, 1)
        ),
        "The patches run down the columns; they should run along the rows.": (
            flat(2, 0, 1, 3)
        ),
        "The shape still has four axes or three; join them to (patches, pixels).": (
            axes.transpose(0, 2, 1, 3)
        ),
    }
    judge("Exercise 2", answer, (image, p), flat(0, 2, 1, 3), mistakes)


def check_break_even(answer: Callable) -> None:
    """the smallest N with 8 (N + M) d^2 + 4 N M d < 8 N d^2 + 2 N^2 d"""
    M, d = 10, 7
    N = np.arange(1, 10_000)
    saved = 8 * N * d**2 + 2 * N**2 * d - (8 * (N + M) * d**2 + 4 * N * M * d)
    right = N[saved > 0][0]
    mistakes = {
        "That counts the scores alone, 2NM < N^2; the M extra rows cost, too.": (
            2 * M + 1
        ),
        "There the ISAB is still the dearer one; one more.": right - 1,
        "That is N > M: but the ISAB has two halves.": M + 1,
        "That is 2M; solve the inequality with all terms of (5).": 2 * M,
    }
    judge("Exercise 3", answer, (M, d), right, mistakes)


def check_pictures_found(answer: Callable) -> None:
    """how often the largest entry of a column stands on the diagonal"""
    scores = np.array(
        [
            [5.0, 1.0, 0.0, 2.0, 0.0],
            [6.0, 4.0, 1.0, 0.0, 1.0],
            [0.0, 2.0, 3.0, 1.0, 0.5],
            [1.0, 0.0, 0.0, 4.0, 3.0],
            [2.0, 0.0, 1.0, 5.0, 5.5],
        ]
    )
    diagonal = np.arange(5)
    won = scores.argmax(axis=0) == diagonal
    other = scores.argmax(axis=1) == diagonal
    mistakes = {
        "That is the share of pictures whose caption wins; turn it.": other.mean(),
        "That is the number of captions; divide by how many there are.": won.sum(),
        "That is the share of the captions that fail.": 1 - won.mean(),
        "This says which captions are right; take the mean.": won,
    }
    judge("Exercise 4", answer, (scores,), won.mean(), mistakes)
