"""Exercises of lecture 15, efficient attention."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def summary(scores: np.ndarray, values: np.ndarray) -> tuple[float, float, np.ndarray]:
    """(maximum, sum, unnormalised output) of one chunk of keys"""
    top = scores.max()
    weights = np.exp(scores - top)
    return top, weights.sum(), weights @ values


def check_merge(answer: Callable) -> None:
    """(c1 y1 + c2 y2) / (c1 z1 + c2 z2) with c = exp(mu - max)"""
    rng = np.random.default_rng(14)
    scores, values = rng.standard_normal(7) * 3, rng.standard_normal((7, 2))
    first, second = (
        summary(scores[part], values[part]) for part in np.split(np.arange(7), [3])
    )
    (t1, z1, y1), (t2, z2, y2) = first, second
    t = max(t1, t2)
    c1, c2 = np.exp(t1 - t), np.exp(t2 - t)
    right = (c1 * y1 + c2 * y2) / (c1 * z1 + c2 * z2)
    mistakes = {
        "Both chunks must be brought to the same maximum first: multiply by "
        "exp(mu - max).": (y1 + y2) / (z1 + z2),
        "The sums need the same factors as the outputs.": (c1 * y1 + c2 * y2)
        / (z1 + z2),
        "The factors are turned round: the chunk with the smaller maximum counts "
        "less.": (y1 / c1 + y2 / c2) / (z1 / c1 + z2 / c2),
        "This is the mean of the two outputs; the chunks do not weigh the same.": (
            y1 / z1 + y2 / z2
        )
        / 2,
        "The division by the joint sum is missing.": c1 * y1 + c2 * y2,
        "Add y1 and y2 as they are; each holds its sum already.": (
            c1 * z1 * y1 + c2 * z2 * y2
        )
        / (c1 * z1 + c2 * z2),
    }
    judge("Exercise 1", answer, (*first, *second), right, mistakes)


def check_layers(answer: Callable) -> None:
    """ceil((N - 1) / w)"""
    N, w = 50, 4
    right = 13
    mistakes = {
        "The window reaches w places to each side, and w is what counts: information "
        "from one end must travel N - 1 places.": 6,
        "Round up: after 12 layers one has come 48 places, and 49 are needed.": 12,
        "Layers are whole: round up.": (N - 1) / w,
        "Half a sequence would do for a position in the middle; the ends are N - 1 "
        "apart.": 7,
        "That counts places, not layers.": N - 1,
    }
    judge("Exercise 2", answer, (N, w), right, mistakes)


def check_step(answer: Callable) -> None:
    """S + phi_k v^T, z + phi_k; then S^T phi_q / (z . phi_q)"""
    rng = np.random.default_rng(15)
    S, z = rng.random((5, 3)), rng.random(5)
    phi_q, phi_k, v = rng.random(5), rng.random(5), rng.standard_normal(3)
    new_S, new_z = S + np.outer(phi_k, v), z + phi_k
    right = phi_q @ new_S / (phi_q @ new_z)
    mistakes = {
        "This reads before it writes: position t may look at itself.": phi_q
        @ S
        / (phi_q @ z),
        "The normaliser must be updated as well: z + phi_k.": phi_q
        @ new_S
        / (phi_q @ z),
        "The division by phi_q . z is missing.": phi_q @ new_S,
        "The state grows by the outer product of phi(k) and v; you overwrote it.": (
            phi_q @ np.outer(phi_k, v) / (phi_q @ new_z)
        ),
        "The new sum of keys belongs in the denominator, not the key alone.": (
            phi_q @ new_S / (phi_q @ phi_k)
        ),
    }
    judge("Exercise 3", answer, (S, z, phi_q, phi_k, v), right, mistakes)


def check_features(answer: Callable) -> None:
    """m = (exp(|u + w|^2) - 1) / e^2"""
    rng = np.random.default_rng(16)
    u, w, error = rng.standard_normal(4) * 0.6, rng.standard_normal(4) * 0.6, 0.1
    plus = np.exp((u + w) @ (u + w)) - 1
    right = plus / error**2
    mistakes = {
        "The error falls with the root of m, so m grows with 1 / error^2.": plus
        / error,
        "That is for the difference u - w; the sum decides.": (
            (np.exp((u - w) @ (u - w)) - 1) / error**2
        ),
        "Relative to the kernel: divide the variance by exp(u . w)^2.": plus
        * np.exp(2 * u @ w)
        / error**2,
        "You have the square root of what is asked.": np.sqrt(plus) / error,
        "Subtract 1: the mean has to be taken off the second moment.": (
            (plus + 1) / error**2
        ),
    }
    judge("Exercise 4", answer, (u, w, error), right, mistakes)


def check_cache(answer: Callable) -> None:
    """2 L H d_head N 4"""
    layers, heads, d_head, tokens = 3, 5, 7, 11
    numbers = 2 * layers * heads * d_head * tokens
    right = 4 * numbers
    mistakes = {
        "Keys and values are kept: twice as much.": right // 2,
        "That is how many numbers; a float32 has 4 bytes.": numbers,
        "Every layer keeps its own.": right // layers,
        "Every head keeps its own.": right // heads,
        "Of every position, not of the last alone.": right // tokens,
        "The cache holds rows, not pairs: it grows with N, not with N^2.": (
            right * tokens
        ),
    }
    arguments = (layers, heads, d_head, tokens)
    judge("Exercise 5", answer, arguments, right, mistakes)
