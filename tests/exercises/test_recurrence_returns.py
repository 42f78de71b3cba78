"""Exercises of lecture 17: other right answers pass, mistakes are named."""

import numpy as np
from exercise_cases import variants

from course_lib.exercises.recurrence_returns import EXERCISES, other_lengths


def by_matrices(a_1, b_1, a_2, b_2):
    """An affine map is a matrix with a row of zeros and a one."""
    M = np.array([[a_2, b_2], [0, 1]]) @ np.array([[a_1, b_1], [0, 1]])
    return M[0, 0], M[0, 1]


def by_gradient(S, k, v, beta):
    wrong = k @ S - v
    return S - beta * k[:, None] * wrong[None, :]


RIGHT = [
    (1, by_matrices),
    (2, lambda steps, left: np.exp(np.log(left) / steps)),
    (4, by_gradient),
    (
        4,
        lambda S, k, v, beta: (
            (np.eye(3) - beta * np.outer(k, k)) @ S + beta * np.outer(k, v)
        ),
    ),
    (
        5,
        lambda heads, d: next(
            n for n in range(999) if 2 * n * heads * d > heads * d * d
        ),
    ),
]
WRONG = [
    (1, lambda a_1, b_1, a_2, b_2: (a_1 * a_2, a_1 * b_2 + b_1), "other order"),
    (1, lambda a_1, b_1, a_2, b_2: (a_1 * a_2, b_1 + b_2), "multiplies b_1"),
    (1, lambda a_1, b_1, a_2, b_2: (a_1, b_1), "expected"),
    (1, lambda a_1, b_1, a_2, b_2: (a_2 * a_1, a_1 * b_1 + b_2), "a_1 is over"),
    (1, lambda a_1, b_1, a_2, b_2: (a_2 * a_1, a_2 * b_1 + a_2 * b_2), "reach it"),
    (1, lambda a_1, b_1, a_2, b_2: (a_2 * a_1, b_2 * a_1 + b_1 * a_2), "reach b_2"),
    (2, lambda steps, left: np.log(left) / steps, "logarithm"),
    (2, lambda steps, left: left ** (1 / (1 + steps)), "One step too many"),
    (2, lambda steps, left: 1 - np.log(1 / left) / steps, "first term"),
    (2, lambda steps, left: np.exp(np.log(left) / (steps - 1)), "one step off"),
    (2, lambda steps, left: 2 ** (-1 / steps), "leaves a half"),
    (2, lambda steps, left: (steps - left) / steps, "shared out"),
    (4, lambda S, k, v, beta: S - np.outer(k, k @ S - beta * v), "weakens the whole"),
    (4, lambda S, k, v, beta: by_gradient(S, k, v, beta / k.dot(k)), "as it is"),
    (5, lambda heads, d: d, "Without the 2"),
    (5, lambda heads, d: d * d // 2 + 1, "one d_head cancels"),
    (2, lambda steps, left: left**steps, "after `steps` steps"),
    (2, lambda steps, left: 1 - (1 - left) / steps, "do not add up"),
    (2, lambda steps, left: 1 - 1 / steps, "expected"),
    (4, lambda S, k, v, beta: S + beta * np.outer(k, v), "whatever the memory"),
    (4, lambda S, k, v, beta: S + np.outer(k, v - S.T @ k), "beta is how much"),
    (5, lambda heads, d: d + 1, "twice as much"),
    (5, lambda heads, d: d // 2, "larger"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_clock_of_exercise_3_slows_and_does_not_stop():
    """Trained among 64 places, it does far worse among 256."""
    found = other_lengths(lengths=(64, 256), seeds=(0,))
    (few, many), (_, rival) = found["selective"][0], found["time-invariant"][0]
    assert few > 0.95
    assert rival < many < 0.75
