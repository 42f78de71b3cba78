"""Lecture 03's exercise checks: right answers pass, each named mistake is named."""

import numpy as np
from exercise_cases import exercise_tests

from course_lib.exercises import vanishing_gradients as exercises


def factor_per_step(w, slopes):
    return abs(w) * np.prod(slopes) ** (1 / len(slopes))


def spectral_radius(W):
    return np.abs(np.linalg.eigvals(W)).max()


def steps_until(factor, share):
    steps, size = 0, 1.0
    while size >= share:
        size, steps = size * factor, steps + 1
    return steps


def clip_gradient(g, g_max):
    return g * min(1.0, g_max / np.linalg.norm(g))


def irnn_jacobian(W_x, h_prev, x_t):
    return np.diag((h_prev + W_x @ x_t > 0).astype(float))


RIGHT = {
    exercises.check_factor_per_step: factor_per_step,
    exercises.check_spectral_radius: spectral_radius,
    exercises.check_steps_until: steps_until,
    exercises.check_clip: clip_gradient,
    exercises.check_irnn_jacobian: irnn_jacobian,
}


MISTAKES = [
    (
        exercises.check_factor_per_step,
        lambda w, slopes: abs(w) * np.mean(slopes),
        "arithmetic mean",
    ),
    (
        exercises.check_factor_per_step,
        lambda w, slopes: w * np.prod(slopes) ** (1 / len(slopes)),
        "The sign is still there",
    ),
    (
        exercises.check_factor_per_step,
        lambda w, slopes: abs(np.prod(w * slopes)),
        "the whole product",
    ),
    (
        exercises.check_factor_per_step,
        lambda w, slopes: np.prod(slopes) ** (1 / len(slopes)),
        "the weight w is missing",
    ),
    (
        exercises.check_spectral_radius,
        lambda W: np.linalg.norm(W, 2),
        "largest singular value",
    ),
    (
        exercises.check_spectral_radius,
        lambda W: np.linalg.eigvals(W).real.max(),
        "largest real part",
    ),
    (
        exercises.check_spectral_radius,
        lambda W: np.abs(np.linalg.eigvals(W).real).max(),
        "largest |real part|",
    ),
    (exercises.check_spectral_radius, np.linalg.norm, "Frobenius"),
    (
        exercises.check_spectral_radius,
        lambda W: np.abs(np.linalg.eigvals(W)),
        "all the absolute values",
    ),
    (
        exercises.check_steps_until,
        lambda factor, share: int(np.log(share) / np.log(factor)),
        "The last step is missing",
    ),
    (
        exercises.check_steps_until,
        lambda factor, share: np.log(share) / np.log(factor),
        "not yet a number of steps",
    ),
    (
        exercises.check_steps_until,
        lambda factor, share: np.log(factor) / np.log(share),
        "upside down",
    ),
    (
        exercises.check_steps_until,
        lambda factor, share: -np.log(share) / np.log(factor),
        "The sign is wrong",
    ),
    (
        exercises.check_clip,
        lambda g, g_max: g * g_max / np.linalg.norm(g),
        "A short gradient must stay",
    ),
    (
        exercises.check_clip,
        lambda g, g_max: np.clip(g, -g_max, g_max),
        "entry by entry",
    ),
    (
        exercises.check_clip,
        lambda g, g_max: g / np.linalg.norm(g) if np.linalg.norm(g) > g_max else g,
        "now has length 1",
    ),
    (
        exercises.check_clip,
        lambda g, g_max: g / g_max if np.linalg.norm(g) > g_max else g,
        "divided by the threshold",
    ),
    (exercises.check_clip, lambda g, g_max: g, "Nothing is clipped"),
    (
        exercises.check_irnn_jacobian,
        lambda W_x, h_prev, x_t: np.diag((W_x @ x_t > 0) * 1.0),
        "The old state is missing",
    ),
    (
        exercises.check_irnn_jacobian,
        lambda W_x, h_prev, x_t: (h_prev + W_x @ x_t > 0) * 1.0,
        "the Jacobian is a matrix",
    ),
    (
        exercises.check_irnn_jacobian,
        lambda W_x, h_prev, x_t: np.eye(len(h_prev)),
        "identity matrix",
    ),
    (
        exercises.check_irnn_jacobian,
        lambda W_x, h_prev, x_t: np.diag(np.maximum(h_prev + W_x @ x_t, 0)),
        "the state itself",
    ),
]


test_right, test_wrong, test_open = exercise_tests([*RIGHT.items()], MISTAKES)
