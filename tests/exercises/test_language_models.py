"""Lecture 06's exercise checks: right answers pass, each named mistake is named."""

import numpy as np
from exercise_cases import exercise_tests

from course_lib.exercises import language_models as exercises


def perplexity(p):
    return np.prod(p) ** (-1 / len(p))


def long_run(A):
    return np.linalg.matrix_power(A, 500)[0]


def row_entropies(A):
    return -(A * np.log(A)).sum(axis=1)


def entropy_rate(A):
    return long_run(A) @ row_entropies(A)


def softmax(s):
    return np.exp(s) / np.exp(s).sum()


def with_temperature(scores, temperature):
    return softmax(scores / temperature)


def top_p(q, p, extra=0, scale=True):
    order = np.argsort(-q)
    number = int(np.argmax(np.cumsum(q[order]) >= p)) + 1 + extra
    kept = np.zeros_like(q)
    kept[order[:number]] = q[order[:number]]
    return kept / kept.sum() if scale else kept


def seasonal_naive(history, k):
    return history[len(history) - 12 + (k - 1) % 12]


RIGHT = {
    exercises.check_perplexity: perplexity,
    exercises.check_entropy_rate: entropy_rate,
    exercises.check_temperature: with_temperature,
    exercises.check_top_p: top_p,
    exercises.check_seasonal_naive: seasonal_naive,
}


def in_order(q, p):
    kept = np.where(np.cumsum(q) - q < p, q, 0)
    return kept / kept.sum()


MISTAKES = [
    (exercises.check_perplexity, lambda p: np.prod(p) ** (1 / len(p)), "its inverse"),
    (exercises.check_perplexity, lambda p: -np.log(p).mean(), "exp is missing"),
    (exercises.check_perplexity, lambda p: 1 / np.prod(p), "divide by their number"),
    (exercises.check_perplexity, lambda p: (1 / p).mean(), "You averaged 1/p"),
    (exercises.check_perplexity, lambda p: 1 / p.mean(), "averaged p first"),
    (exercises.check_perplexity, lambda p: np.exp(-np.log2(p).mean()), "one base"),
    (exercises.check_entropy_rate, lambda A: row_entropies(A).mean(), "weigh them"),
    (
        exercises.check_entropy_rate,
        lambda A: -(long_run(A) * np.log(long_run(A))).sum(),
        "as if it had no past",
    ),
    (exercises.check_entropy_rate, lambda A: entropy_rate(A) / np.log(2), "in bits"),
    (exercises.check_entropy_rate, lambda A: -entropy_rate(A), "sign is wrong"),
    (exercises.check_entropy_rate, row_entropies, "weigh and add"),
    (
        exercises.check_entropy_rate,
        lambda A: long_run(A) @ row_entropies(A.T / A.sum(axis=0)[:, None]),
        "Columns and rows",
    ),
    (exercises.check_temperature, lambda s, t: softmax(s * t), "divide."),
    (exercises.check_temperature, lambda s, t: softmax(s), "not used"),
    (exercises.check_temperature, lambda s, t: np.exp(s / t), "normalise"),
    (exercises.check_temperature, lambda s, t: softmax(s) / t, "before the softmax"),
    (exercises.check_temperature, lambda s, t: softmax(softmax(s) / t), "twice"),
    (exercises.check_top_p, lambda q, p: top_p(q, p, scale=False), "Scale"),
    (exercises.check_top_p, lambda q, p: top_p(q, p, -1), "carries the sum"),
    (exercises.check_top_p, lambda q, p: top_p(q, p, 1), "One token too many"),
    (exercises.check_top_p, in_order, "sort by probability"),
    (exercises.check_top_p, lambda q, p: q, "Nothing is cut"),
    (exercises.check_seasonal_naive, lambda x, k: x[-1], "persistence"),
    (
        exercises.check_seasonal_naive,
        lambda x, k: x[len(x) - 12 + k % 12],
        "k = 1 is the month after",
    ),
    (
        exercises.check_seasonal_naive,
        lambda x, k: x[len(x) - 12 + (k - 2) % 12],
        "k = 12 is the last",
    ),
    (exercises.check_seasonal_naive, lambda x, k: x[-12:].mean(), "mean of the last"),
]


test_right, test_wrong, test_open = exercise_tests([*RIGHT.items()], MISTAKES)


def test_going_beyond_a_year_is_reported(capsys):
    exercises.check_seasonal_naive(lambda x, k: x[len(x) - 13 + k])
    assert "your function raised IndexError" in capsys.readouterr().out
