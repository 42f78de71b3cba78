"""Exercises of lecture 06, language models."""

from collections.abc import Callable

import numpy as np

from course_lib.data.sources import MarkovSource, entropy, stationary
from course_lib.exercises.verdict import judge


def check_perplexity(answer: Callable) -> None:
    """exp of the mean of -ln p"""
    p = np.array([0.5, 0.25, 0.9, 0.1, 0.3])
    mean = -np.log(p).mean()
    mistakes = {
        "That is the geometric mean of the probabilities; perplexity is its inverse.": (
            np.exp(-mean)
        ),
        "That is the mean negative log-likelihood; the exp is missing.": mean,
        "You added up the log-likelihoods; divide by their number before the exp.": (
            np.exp(-np.log(p).sum())
        ),
        "You averaged 1/p; the mean is taken of the logarithms.": (1 / p).mean(),
        "You averaged p first; the mean is taken of the logarithms.": 1 / p.mean(),
        "The logarithm is to base 2 and the power to base e; use one base.": np.exp(
            -np.log2(p).mean()
        ),
    }
    judge("Exercise 1", answer, (p,), np.exp(mean), mistakes)


def check_entropy_rate(answer: Callable) -> None:
    """sum_i pi_i H(row i), in nats"""
    A = np.array([[0.7, 0.2, 0.1], [0.05, 0.9, 0.05], [0.5, 0.25, 0.25]])
    rows, pi = entropy(A), stationary(A)
    right = MarkovSource(A).entropy_rate
    mistakes = {
        "You averaged the rows evenly; weigh them by how often each symbol comes.": (
            rows.mean()
        ),
        "That is the entropy of one symbol, as if it had no past.": entropy(pi),
        "That is in bits; use the natural logarithm.": right / np.log(2),
        "The sign is wrong: an entropy is not negative.": -right,
        "Those are the entropies of the rows; weigh and add them.": rows,
        "Columns and rows are mixed up: row i is what follows symbol i.": float(
            pi @ entropy(A.T / A.T.sum(axis=1, keepdims=True))
        ),
    }
    judge("Exercise 2", answer, (A,), right, mistakes)


def check_temperature(answer: Callable) -> None:
    """softmax(scores / temperature)"""
    scores, temperature = np.array([2.0, 1.0, 0.0, -1.0, 0.5]), 0.5

    def softmax(s: np.ndarray) -> np.ndarray:
        return np.exp(s) / np.exp(s).sum()

    mistakes = {
        "You multiplied by the temperature; divide.": softmax(scores * temperature),
        "The temperature is not used.": softmax(scores),
        "The result does not sum to 1: normalise after the exp.": np.exp(
            scores / temperature
        ),
        "You divided the probabilities; divide the scores before the softmax.": (
            softmax(scores) / temperature
        ),
        "You took the softmax twice; the scores are not probabilities yet.": softmax(
            softmax(scores) / temperature
        ),
    }
    right = softmax(scores / temperature)
    judge("Exercise 3", answer, (scores, temperature), right, mistakes)


def check_top_p(answer: Callable) -> None:
    """the fewest most probable tokens whose probabilities reach p, scaled to sum 1"""
    q, p = np.array([0.1, 0.4, 0.05, 0.25, 0.2]), 0.75
    right = np.array([0.0, 0.4, 0.0, 0.25, 0.2]) / 0.85
    mistakes = {
        "Scale what is left, so that it sums to 1.": 0.85 * right,
        "The token that carries the sum past p belongs to the kept ones.": (
            np.array([0, 0.4, 0, 0.25, 0]) / 0.65
        ),
        "One token too many is kept: 0.85 already reaches p = 0.75.": (
            np.array([0.1, 0.4, 0, 0.25, 0.2]) / 0.95
        ),
        "You went through the tokens as they stand; sort by probability first.": (
            np.array([0.1, 0.4, 0.05, 0.25, 0]) / 0.8
        ),
        "Nothing is cut away.": q,
    }
    judge("Exercise 4", answer, (q.copy(), p), right, mistakes)


def check_seasonal_naive(answer: Callable) -> None:
    """the latest known value of the same month of the year"""
    history = np.arange(100.0, 131.0)  # 31 months
    months = np.array([1, 5, 12, 13, 24, 30])

    def try_all() -> np.ndarray | None:
        got = [answer(history.copy(), int(k)) for k in months]
        return None if any(g is None or g is Ellipsis for g in got) else np.array(got)

    year = history[-12:]
    wrapped = year[(months - 1) % 12]
    mistakes = {
        "That is persistence, the last value; go back to the same month.": (
            np.full(len(months), history[-1])
        ),
        "One month off: k = 1 is the month after the last one.": year[months % 12],
        "One month off the other way: k = 12 is the last known month again.": (
            year[(months - 2) % 12]
        ),
        "That is the mean of the last year.": np.full(len(months), year.mean()),
    }
    judge("Exercise 5", try_all, (), wrapped, mistakes)
