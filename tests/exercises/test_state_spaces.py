"""Lecture 16's exercise checks: right answers pass, each named mistake is named."""

import numpy as np
from exercise_cases import exercise_tests

from course_lib.exercises import state_spaces as exercises


def posterior(x):
    return x.sum() / (len(x) + 1), 1 / (len(x) + 1)


def update(m, P, x, C, R):
    K = P * C / (C * P * C + R)
    return m + K * (x - C * m), P - K * C * P


def forward_step(belief, A, B, symbol):
    joint = (belief @ A) * B[:, symbol]
    return joint / joint.sum()


def kl_to_prior(mu, log_sigma):
    return np.sum(0.5 * (np.exp(2 * log_sigma) + mu**2 - 1) - log_sigma)


def best_variances(cov):
    return 1 / np.diag(np.linalg.inv(cov))


RIGHT = {
    exercises.check_posterior: posterior,
    exercises.check_update: update,
    exercises.check_forward_step: forward_step,
    exercises.check_kl: kl_to_prior,
    exercises.check_best_variances: best_variances,
}


def gain_without_C(m, P, x, C, R):
    K = P / (C * P * C + R)
    return m + K * (x - C * m), P - K * C * P


def one_sided(m, P, x, C, R):
    K = P * C / (C * P + R)
    return m + K * (x - C * m), P - K * C * P


def moved(belief, A, B, symbol, order):
    joint = (belief @ A if order == "left" else A @ belief) * B[:, symbol]
    return joint / joint.sum()


def late(belief, A, B, symbol):
    after = (belief * B[:, symbol]) @ A
    return after / after.sum()


def still(belief, A, B, symbol):
    joint = belief * B[:, symbol]
    return joint / joint.sum()


def each_kl(mu, log_sigma):
    return 0.5 * (np.exp(2 * log_sigma) + mu**2 - 1) - log_sigma


MISTAKES = [
    (exercises.check_posterior, lambda x: (x.mean(), 1 / len(x)), "one more"),
    (
        exercises.check_posterior,
        lambda x: (posterior(x)[0], 1 / len(x)),
        "precisions add",
    ),
    (
        exercises.check_posterior,
        lambda x: (x.mean(), posterior(x)[1]),
        "mean forgets the prior",
    ),
    (
        exercises.check_posterior,
        lambda x: (posterior(x)[0], posterior(x)[1] ** 0.5),
        "standard deviation",
    ),
    (
        exercises.check_update,
        lambda m, P, x, C, R: (
            m + P * C / (C * C * P + R) * (x - m),
            update(m, P, x, C, R)[1],
        ),
        "x - C m",
    ),
    (exercises.check_update, gain_without_C, "the C is missing"),
    (exercises.check_update, one_sided, "on both sides"),
    (
        exercises.check_update,
        lambda m, P, x, C, R: (
            update(m, P, x, C, R)[0],
            P - P * C / (C * C * P + R) * P,
        ),
        "P - K C P",
    ),
    (
        exercises.check_update,
        lambda m, P, x, C, R: (
            update(m, P, x, C, R)[0],
            2 * P - update(m, P, x, C, R)[1],
        ),
        "less certain",
    ),
    (
        exercises.check_forward_step,
        lambda b, A, B, s: (b @ A) * B[:, s],
        "Not normalised",
    ),
    (
        exercises.check_forward_step,
        lambda b, A, B, s: moved(b, A, B, s, "right"),
        "belief @ A",
    ),
    (exercises.check_forward_step, still, "has not moved"),
    (exercises.check_forward_step, late, "moved after"),
    (exercises.check_forward_step, lambda b, A, B, s: b @ A, "has not been used"),
    (exercises.check_kl, each_kl, "sum over the entries"),
    (exercises.check_kl, lambda m, s: each_kl(m, s).mean(), "took their mean"),
    (
        exercises.check_kl,
        lambda m, s: np.sum(0.5 * (np.exp(s) + m**2 - 1) - s),
        "variances",
    ),
    (
        exercises.check_kl,
        lambda m, s: 0.5 * np.sum(np.exp(2 * s) + m**2 - 1 - s),
        "-log sigma",
    ),
    (
        exercises.check_kl,
        lambda m, s: np.sum(s + (1 + m**2) / (2 * np.exp(2 * s)) - 0.5),
        "the other way round",
    ),
    (exercises.check_kl, lambda m, s: -each_kl(m, s).sum(), "never be negative"),
    (exercises.check_best_variances, np.diag, "marginal variances"),
    (exercises.check_best_variances, lambda c: 1 / np.diag(c), "whole matrix first"),
    (
        exercises.check_best_variances,
        lambda c: np.diag(np.linalg.inv(c)),
        "its inverse",
    ),
]


test_right, test_wrong, test_open = exercise_tests([*RIGHT.items()], MISTAKES)


def test_an_unknown_mistake_is_still_a_mistake(capsys):
    exercises.check_best_variances(lambda cov: np.zeros(3))
    assert "the numbers are not" in capsys.readouterr().out
