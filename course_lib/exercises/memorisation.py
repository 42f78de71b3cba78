"""Exercises of lecture 13, memorisation and privacy."""

import math
from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def check_exposure(answer: Callable) -> None:
    """log2 n - log2 rank, a tie counting half"""
    scores = np.array([-2.0, -1.0, -4.0, -2.0, -6.0, -2.0, -0.5, -8.0, -7.0, -9.0])
    secret, n = 3, len(scores)  # two better, two tied, five worse

    def bits(place: float) -> float:
        return math.log2(n) - math.log2(place)

    mistakes = {
        "You let the secret win its ties: then a model that gives all codes the same "
        "score would seem to know every secret.": bits(3),
        "You let the secret lose its ties; they count half.": bits(5),
        "The secret itself is not a tie: without it two codes are tied.": bits(4.5),
        "You counted from the worst code; rank 1 is the largest score.": bits(7),
        "That is the rank; exposure is a logarithm.": 4,
        "That is log2 of the rank; exposure is what is missing to log2 n.": 2,
        "Bits: use logarithms to base 2.": math.log(n) - math.log(4),
    }
    judge("Exercise 1", answer, (scores, secret), bits(4), mistakes)


def check_chance(answer: Callable) -> None:
    """log2 n - log2(n!) / n"""
    n = 8
    right = math.log2(n) - math.log2(math.factorial(n)) / n
    mistakes = {
        "That is the exposure of the mean rank; the mean of the exposures is larger, "
        "because the logarithm is concave.": math.log2(n) - math.log2((n + 1) / 2),
        "That is the limit for large n; asked is the exact mean.": 1 / math.log(2),
        "Bits: use logarithms to base 2.": right * math.log(2),
        "That is the mean of log2 rank; subtract it from log2 n.": (
            math.log2(n) - right
        ),
        "Every rank has probability 1/n: divide the sum of the logarithms by n.": (
            math.log2(n) - math.log2(math.factorial(n))
        ),
    }
    judge("Exercise 2", answer, (n,), right, mistakes)


def check_response(answer: Callable) -> None:
    """ln((1 + t) / (1 - t))"""
    t = 0.6
    mistakes = {
        "Also those who do not tell the truth on purpose say it half of the time.": (
            math.log(t / (1 - t))
        ),
        "That is e to the epsilon; take the logarithm.": (1 + t) / (1 - t),
        "Epsilon is a natural logarithm.": math.log2((1 + t) / (1 - t)),
        "Upside down: the likelier answer stands on top.": -math.log((1 + t) / (1 - t)),
        "That is the probability of a true answer; compare it with that of a false "
        "one.": (1 + t) / 2,
        "Divide by the probability of the same answer from somebody whose truth is "
        "the other one.": math.log(1 / (1 - t)),
    }
    judge("Exercise 3", answer, (t,), math.log((1 + t) / (1 - t)), mistakes)


def check_private_gradient(answer: Callable) -> None:
    """(sum of clipped gradients + sigma C noise) / expected batch"""
    rng = np.random.default_rng(7)
    g = rng.standard_normal((5, 3)) * np.array([0.1, 3, 0.2, 5, 1.0])[:, None]
    noise, C, sigma, batch = rng.standard_normal(3), 0.8, 1.5, 7
    norm = np.linalg.norm(g, axis=1, keepdims=True)
    total = (g * np.minimum(1, C / norm)).sum(axis=0)
    mean, stretched = g.mean(axis=0), (g * C / norm).sum(axis=0)
    clipped_mean = mean * min(1, C / np.linalg.norm(mean))
    right = (total + sigma * C * noise) / batch
    mistakes = {
        "You clipped the sum or the mean: one record could still turn it. Clip each "
        "gradient, then add.": clipped_mean + sigma * C * noise / batch,
        "You made every gradient C long; those that are shorter stay as they are.": (
            (stretched + sigma * C * noise) / batch
        ),
        "You clipped every entry; C is the length of the whole gradient.": (
            (np.clip(g, -C, C).sum(axis=0) + sigma * C * noise) / batch
        ),
        "Divide by the expected size of the batch, a number that depends on nobody's "
        "data.": (total + sigma * C * noise) / len(g),
        "The noise must grow with C: its standard deviation is sigma C.": (
            (total + sigma * noise) / batch
        ),
        "The noise belongs to the sum, before the division.": (
            total / batch + sigma * C * noise
        ),
        "The noise is missing.": total / batch,
        "That is the noisy sum; divide it by the expected size of the batch.": (
            total + sigma * C * noise
        ),
    }
    judge("Exercise 4", answer, (g, C, sigma, noise, batch), right, mistakes)


def check_gaussian_epsilon(answer: Callable) -> None:
    """T / (2 sigma^2) + sqrt(2 T ln(1/delta)) / sigma"""
    sigma, steps, delta = 5.0, 7, 1e-3
    log = math.log(1 / delta)
    one = 1 / (2 * sigma**2) + math.sqrt(2 * log) / sigma
    root = math.sqrt(2 * steps * log) / sigma
    right = steps / (2 * sigma**2) + root
    mistakes = {
        "That is T times the epsilon of one step. Add the divergences first, convert "
        "once.": steps * one,
        "The first term is missing: put the best order back into both terms.": root,
        "That is for one step.": one,
        "The divergence of a step is alpha / (2 sigma^2); you lost the 2.": (
            steps / sigma**2 + 2 * math.sqrt(steps * log) / sigma
        ),
        "That is the best order; put it back into the expression.": (
            1 + math.sqrt(2 * sigma**2 * log / steps)
        ),
    }
    judge("Exercise 5", answer, (sigma, steps, delta), right, mistakes)
