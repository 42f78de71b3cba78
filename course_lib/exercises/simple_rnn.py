"""Exercises of lecture 02, the simple recurrent network."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def check_parameter_count(answer: Callable) -> None:
    """d_h² + d_h d_x + d_h + d_y d_h + d_y"""
    d_x, d_h, d_y = 3, 5, 7
    recurrent = d_h * d_h + d_h * d_x + d_h
    mistakes = {
        "That is the recurrence alone; the read-out W_y, b_y is missing.": recurrent,
        "The biases are missing: d_h for the state and d_y for the output.": d_h**2
        + d_h * d_x
        + d_y * d_h,
        "You counted two biases a state, as PyTorch does; our cell has one.": (
            recurrent + d_h + d_y * d_h + d_y
        ),
    }
    right = recurrent + d_y * d_h + d_y
    judge("Exercise 1", answer, (d_x, d_h, d_y), right, mistakes)


def check_relu_jacobian(answer: Callable) -> None:
    """diag(1[a > 0]) W_h"""
    rng = np.random.default_rng(3)
    W_h, a = rng.standard_normal((5, 5)), np.array([1.2, -0.3, 0.4, -2.0, 0.1])
    slope = (a > 0).astype(float)
    right = slope[:, None] * W_h
    mistakes = {
        "You scaled the columns; the slope of unit i belongs to row i.": W_h * slope,
        "This is the transpose; in numerator layout (i, j) is dh_i/dh_j.": right.T,
        "That is the Jacobian for tanh; the rectifier's slope is 0 or 1.": (
            (1 - np.tanh(a) ** 2)[:, None] * W_h
        ),
        "You multiplied by max(0, a) itself; the chain rule needs its slope.": (
            np.maximum(a, 0)[:, None] * W_h
        ),
    }
    judge("Exercise 2", answer, (W_h, a), right, mistakes)


def check_backward_step(answer: Callable) -> None:
    """direct + (g_next (1 - h_next²)) W_h"""
    rng = np.random.default_rng(5)
    g_next, direct = rng.standard_normal((2, 2, 5))
    h_next = np.tanh(rng.standard_normal((2, 5)))
    W_h = rng.standard_normal((5, 5))
    slope = 1 - h_next**2
    right = direct + (g_next * slope) @ W_h
    mistakes = {
        "The direct effect of h_t on its own loss is missing.": (g_next * slope) @ W_h,
        "Rows go from left to right: g J, so W_h without a transpose.": (
            direct + (g_next * slope) @ W_h.T
        ),
        "The slope of the tanh, 1 - h², is missing.": direct + g_next @ W_h,
        "The slope comes before W_h on the way back: J = diag(1 - h²) W_h.": (
            direct + (g_next @ W_h) * slope
        ),
        "The slope of tanh is 1 - h², and h_next is already the tanh.": (
            direct + (g_next * (1 - np.tanh(h_next) ** 2)) @ W_h
        ),
    }
    arguments = (g_next, h_next, direct, W_h)
    judge("Exercise 3", answer, arguments, right, mistakes)


def check_kept_pairs(answer: Callable) -> None:
    """sum over t of min(t, K + 1)"""
    T, K = 11, 3
    mistakes = {
        "K Jacobians connect K + 1 terms; you counted K of them.": sum(
            min(t, K) for t in range(1, T + 1)
        ),
        "The first K steps cannot look back that far.": T * (K + 1),
        "That is the number of all pairs, without truncation.": T * (T + 1) // 2,
    }
    right = sum(min(t, K + 1) for t in range(1, T + 1))
    judge("Exercise 4", answer, (T, K), right, mistakes)
