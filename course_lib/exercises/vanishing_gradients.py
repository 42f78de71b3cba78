"""Exercises of lecture 03, vanishing and exploding gradients."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from course_lib.exercises.verdict import judge


def check_factor_per_step(answer: Callable) -> None:
    """(|w| times the geometric mean of the slopes)"""
    w, slopes = -2.0, np.array([0.9, 0.2, 0.6, 0.05, 0.7])
    geometric = slopes.prod() ** (1 / slopes.size)
    mistakes = {
        "That is the arithmetic mean; products call for the geometric one.": (
            abs(w) * slopes.mean()
        ),
        "The sign is still there; growth is decided by the absolute value.": (
            w * geometric
        ),
        "That is the whole product; take its root for the factor of one step.": abs(
            np.prod(w * slopes)
        ),
        "That is the geometric mean of the slopes; the weight w is missing.": geometric,
    }
    judge("Exercise 1", answer, (w, slopes), abs(w) * geometric, mistakes)


def check_spectral_radius(answer: Callable) -> None:
    """max |lambda| over all eigenvalues, which may be complex or negative"""
    W = np.array([[0.0, -2.0, 3.0], [2.0, 0.0, 1.0], [0.0, 0.0, -1.5]])
    eigenvalues = np.linalg.eigvals(W)
    mistakes = {
        "That is the largest singular value; it bounds the radius from above.": (
            np.linalg.norm(W, 2)
        ),
        "That is the largest real part; take the absolute value |a + bi|.": (
            eigenvalues.real.max()
        ),
        "That is the largest |real part|; |a + bi| also counts the imaginary part.": (
            np.abs(eigenvalues.real).max()
        ),
        "That is the Frobenius norm.": np.linalg.norm(W),
        "Those are all the absolute values; the radius is the largest of them.": (
            np.abs(eigenvalues)
        ),
    }
    judge("Exercise 2", answer, (W,), np.abs(eigenvalues).max(), mistakes)


def check_steps_until(answer: Callable) -> None:
    """the smallest whole k with factor**k < share"""
    factor, share = 0.9, 0.01
    exact = np.log(share) / np.log(factor)  # 43.7
    right = int(np.floor(exact)) + 1
    mistakes = {
        "The last step is missing: round up, so that the share is really below.": int(
            exact
        ),
        "That is not yet a number of steps: round up.": exact,
        "Something is upside down: log(share) / log(factor).": 1 / exact,
        "The sign is wrong: both logarithms are negative, so their ratio is not.": (
            -exact
        ),
    }
    judge("Exercise 3", answer, (factor, share), right, mistakes)


def check_clip(answer: Callable) -> None:
    """Two gradients at once: a long one and a short one, each with its own verdict."""
    long, short, g_max = np.array([3.0, -4.0, 12.0]), np.array([0.3, 0.4, 0.0]), 2.0
    norm = np.linalg.norm(long)

    def both(g_long: ArrayLike, g_short: ArrayLike) -> np.ndarray:
        return np.stack([g_long, g_short])

    def try_both() -> np.ndarray | None:
        got = [answer(long.copy(), g_max), answer(short.copy(), g_max)]
        return None if any(g is None or g is Ellipsis for g in got) else both(*got)

    right = both(long * g_max / norm, short)
    mistakes = {
        "A short gradient must stay as it is; yours is scaled to the threshold.": both(
            long * g_max / norm, short * g_max / np.linalg.norm(short)
        ),
        "You cut entry by entry, which turns the arrow; scale all by one factor.": (
            both(np.clip(long, -g_max, g_max), short)
        ),
        "The long gradient now has length 1; it should have the threshold's.": both(
            long / norm, short
        ),
        "You divided by the threshold; multiply by threshold / norm.": both(
            long / g_max, short
        ),
        "Nothing is clipped: the first gradient has norm 13, the threshold is 2.": both(
            long, short
        ),
    }
    judge("Exercise 4", try_both, (), right, mistakes)


def check_irnn_jacobian(answer: Callable) -> None:
    """diag(1[h_prev + W_x x > 0]) when W_h = I and b_h = 0"""
    W_x = np.array([[1.0, 0.5], [-1.0, 0.2], [0.3, -1.0], [-0.4, -0.4], [0.7, 0.1]])
    h_prev, x_t = np.array([0.2, 2.0, 0.0, 0.1, 1.0]), np.array([0.5, 1.0])
    a = h_prev + W_x @ x_t
    right = np.diag((a > 0).astype(float))
    mistakes = {
        "The old state is missing inside: the slope is taken at h_prev + W_x x.": (
            np.diag((W_x @ x_t > 0).astype(float))
        ),
        "These are the diagonal's entries; the Jacobian is a matrix.": np.diag(right),
        "That would be the identity matrix; units with a <= 0 pass nothing on.": (
            np.eye(a.size)
        ),
        "You multiplied by the state itself; the rectifier's slope is 0 or 1.": np.diag(
            np.maximum(a, 0)
        ),
    }
    judge("Exercise 5", answer, (W_x, h_prev, x_t), right, mistakes)
