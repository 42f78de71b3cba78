"""Exercises of lecture 16: other right answers pass, mistakes are named."""

import itertools

import numpy as np
import pytest
from exercise_cases import variants

from course_lib.exercises.state_spaces import EXERCISES, swing, too_sure
from course_lib.models.state_space import LinearGaussian, kalman_filter


def posterior_step_by_step(x):
    m, P = 0.0, 1.0
    for x_i in x:
        K = P / (P + 1)
        m, P = m + K * (x_i - m), (1 - K) * P
    return m, P


def update_by_precision(m, P, x, C, R):
    """Information adds up: another way to the same numbers."""
    precision = 1 / P + C * C / R
    return (m / P + C * x / R) / precision, 1 / precision


def update_with(m, P, x, C, R, S, K, surprise):
    S = S(P, C, R)
    return m + K(P, C, S) * surprise(x, C, m), P - K(P, C, S) * C * P


def forgets_C(m, P, x, C, R):
    K = P / (P + R)
    return m + K * (x - m), P - K * P


def squares_R(m, P, x, C, R):
    S = C * P * C + R**2
    K = P * C / S
    return m + K * (x - C * m), (1 - K * C) * P


def gaps_by_the_library(x, A, Q, R, P_1, fill=None):
    """A gap is an observation with a huge variance, one step at a time."""
    m, P, history = np.zeros(1), np.array([[P_1]]), []
    one = np.ones((1, 1))
    for x_t in x:
        gap = np.isnan(x_t)
        blur = 1e6 if gap and fill is None else R**0.5
        model = LinearGaussian(A * one, Q**0.5 * one, one, blur * one, m, P)
        seen = np.array([[[(fill or 0.0) if gap else x_t]]])
        made = kalman_filter(model, seen)
        history.append((made.m.item(), made.P.item()))
        m, P = A * made.m[0, 0], A * A * made.P[0] + Q
    return np.array(history)


def forward_by_hand(b, A, B, s):
    out = np.array([sum(b[i] * A[i, j] for i in range(3)) * B[j, s] for j in range(3)])
    return out / sum(out)


def best_of_all_paths(pi, A, B, x):
    def p(path):
        moves = np.prod([A[i, j] for i, j in itertools.pairwise(path)])
        return pi[path[0]] * moves * np.prod(B[list(path), x])

    return np.array(max(itertools.product(range(3), repeat=len(x)), key=p))


RIGHT = [
    (1, posterior_step_by_step),
    (2, update_by_precision),
    (3, gaps_by_the_library),
    (5, forward_by_hand),
    (6, best_of_all_paths),
    (6, lambda *a: best_of_all_paths(*a).tolist()),
]


def adds_Q_twice(x, A, Q, R, P_1):
    m, P, rows = 0.0, P_1, []
    for t, x_t in enumerate(x):
        if t:
            m, P = A * m, A * P * A + Q
        if np.isnan(x_t):
            P += Q
        else:
            m, P = (m * R + x_t * P) / (P + R), P * R / (P + R)
        rows.append([m, P])
    return np.array(rows)


WRONG = [
    (1, lambda x: (x.mean(), 1 / len(x)), "one more observation"),
    (1, lambda x: (x.sum() / (len(x) + 1), 1 / len(x)), "precisions add"),
    (1, lambda x: (x.mean(), 1 / (len(x) + 1)), "forgets the prior"),
    (1, lambda x: (x.sum() / (len(x) + 1), (len(x) + 1) ** -0.5), "standard dev"),
    (1, lambda x: (x.sum() / (len(x) + 1), len(x) + 1), "precision n + 1"),
    (1, lambda x: (np.average(x) / 2, 1 / 2), "worth n of them"),
    (2, lambda m, P, x, C, R: (m + (x - C * m) * P / (R + P), P * R / (R + P)), "Only"),
    (3, adds_Q_twice, "has added Q already"),
    (2, forgets_C, "C is forgotten everywhere"),
    (2, squares_R, "do not square it"),
    (2, lambda m, P, x, C, R: (x / C, 0.0), "R is missing in S"),
    (2, lambda m, P, x, C, R: update_by_precision(m, P, x, C, R**0.5), "no root"),
    (
        2,
        lambda m, P, x, C, R: (
            update_by_precision(m, P, x, C, R)[0],
            P + P * C * C * P / (C * C * P + R),
        ),
        "less certain",
    ),
    (2, lambda m, P, x, C, R: (update_by_precision(m, P, x, C, R)[0], P), "updated"),
    (3, lambda x, *rest: gaps_by_the_library(x, *rest, fill=1e-9), "observation of 0"),
    (3, lambda x, *rest: gaps_by_the_library(x, *rest)[:, ::-1], "expected"),
    (5, lambda b, A, B, s: (b @ A) * B[:, s], "Not normalised"),
    (5, lambda b, A, B, s: forward_by_hand(b, A.T, B, s), "belief @ A"),
    (5, lambda b, A, B, s: forward_by_hand(b, np.eye(3), B, s), "has not moved"),
    (5, lambda b, A, B, s: b @ A, "has not been used"),
    (5, lambda b, A, B, s: (b * B[:, s] / (b @ B[:, s])) @ A, "Move first"),
    (6, lambda pi, A, B, x: B[:, x].argmax(axis=0), "looks at B alone"),
    (6, lambda pi, A, B, x: best_of_all_paths(pi, A, B, x)[::-1], "way round"),
    (6, lambda pi, A, B, x: best_of_all_paths(pi, A.T, B, x), "rows i"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_swing_of_the_open_exercise_is_the_lectures():
    model = swing()
    assert np.abs(np.linalg.eigvals(model.A)) == pytest.approx([0.98, 0.98])
    assert np.angle(np.linalg.eigvals(model.A)).max() == pytest.approx(0.35)
    assert model.A[0, 1] > 0  # a positive speed carries the position up


def test_the_open_exercise_finds_what_its_text_says():
    found = too_sure(count=200)
    errors, expected, within, log_p = zip(*found.values(), strict=True)
    assert max(log_p) == log_p[2]
    assert min(errors) == errors[2]
    assert within[0] < 0.7
    assert errors[0] > 1.5 * expected[0]
    assert expected[4] > 0.9 * errors[4]
