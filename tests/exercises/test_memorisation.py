"""Exercise checks of lecture 13: right answers pass, named mistakes are named."""

import math

import numpy as np
import torch
from exercise_cases import exercise_tests

from course_lib.exercises import memorisation as ex
from course_lib.models import privacy


def bits(place_of):
    return lambda s, k: math.log2(len(s)) - math.log2(place_of(s, k))


def chance(n):
    return math.log2(n) - np.log2(np.arange(1, n + 1)).mean()


def private(g, C, sigma, noise, batch):
    clipped = torch.stack([torch.tensor(row) for row in g])
    lengths = clipped.norm(dim=1, keepdim=True)
    clipped = torch.where(lengths > C, clipped / lengths * C, clipped)
    return (clipped.sum(dim=0).numpy() + sigma * C * noise) / batch


def clip_mean(g, C, sigma, noise, batch):
    mean = g.mean(axis=0)
    return mean * min(1, C / np.linalg.norm(mean)) + sigma * C * noise / batch


def stretch(g, C, sigma, noise, batch):
    unit = g / np.linalg.norm(g, axis=1, keepdims=True)
    return (C * unit.sum(axis=0) + sigma * C * noise) / batch


def by_entry(g, C, sigma, noise, batch):
    return (np.clip(g, -C, C).sum(axis=0) + sigma * C * noise) / batch


def many_steps(sigma, T, delta):
    """The minimum over the order, searched instead of derived."""
    order = 1 + np.exp(np.linspace(-4, 8, 200_001))
    spent = T * order / (2 * sigma**2) + math.log(1 / delta) / (order - 1)
    return spent.min()


def one_step(sigma, T, delta):
    return many_steps(sigma, 1, delta)


RIGHT = [
    (ex.check_exposure, privacy.exposure),
    (ex.check_chance, chance),
    (ex.check_response, lambda t: math.log((t + (1 - t) / 2) / ((1 - t) / 2))),
    (ex.check_private_gradient, private),
    (ex.check_gaussian_epsilon, many_steps),
]
WRONG = [
    (ex.check_exposure, bits(lambda s, k: 1 + (s > s[k]).sum()), "win its ties"),
    (ex.check_exposure, bits(lambda s, k: (s >= s[k]).sum()), "lose its ties"),
    (
        ex.check_exposure,
        bits(lambda s, k: 1 + (s > s[k]).sum() + (s == s[k]).sum() / 2),
        "itself is not a tie",
    ),
    (
        ex.check_exposure,
        bits(lambda s, k: 1 + (s < s[k]).sum() + ((s == s[k]).sum() - 1) / 2),
        "from the worst",
    ),
    (ex.check_exposure, privacy.rank, "That is the rank"),
    (ex.check_exposure, lambda s, k: math.log2(privacy.rank(s, k)), "missing to"),
    (
        ex.check_exposure,
        lambda s, k: math.log(len(s) / privacy.rank(s, k)),
        "base 2",
    ),
    (ex.check_chance, lambda n: math.log2(2 * n / (n + 1)), "mean rank"),
    (ex.check_chance, lambda n: 1 / math.log(2), "limit"),
    (ex.check_chance, lambda n: chance(n) * math.log(2), "base 2"),
    (ex.check_chance, lambda n: np.log2(np.arange(1, n + 1)).mean(), "subtract it"),
    (
        ex.check_chance,
        lambda n: math.log2(n) - np.log2(np.arange(1, n + 1)).sum(),
        "probability 1/n",
    ),
    (ex.check_response, lambda t: math.log(t / (1 - t)), "half of the time"),
    (ex.check_response, lambda t: (1 + t) / (1 - t), "take the logarithm"),
    (ex.check_response, lambda t: math.log2((1 + t) / (1 - t)), "natural"),
    (ex.check_response, lambda t: math.log((1 - t) / (1 + t)), "Upside down"),
    (ex.check_response, lambda t: (1 + t) / 2, "compare it"),
    (ex.check_response, lambda t: -math.log(1 - t), "the other one"),
    (ex.check_private_gradient, clip_mean, "Clip each"),
    (ex.check_private_gradient, stretch, "shorter stay"),
    (ex.check_private_gradient, by_entry, "every entry"),
    (
        ex.check_private_gradient,
        lambda g, C, s, noise, batch: private(g, C, s, noise, len(g)),
        "expected size of the batch, a number",
    ),
    (
        ex.check_private_gradient,
        lambda g, C, s, noise, batch: private(g, C, s / C, noise, batch),
        "grow with C",
    ),
    (
        ex.check_private_gradient,
        lambda g, C, s, noise, batch: private(g, C, s * batch, noise, batch),
        "before the division",
    ),
    (
        ex.check_private_gradient,
        lambda g, C, s, noise, batch: private(g, C, 0, noise, batch),
        "noise is missing",
    ),
    (
        ex.check_private_gradient,
        lambda g, C, s, noise, batch: private(g, C, s, noise, 1),
        "noisy sum",
    ),
    (ex.check_gaussian_epsilon, lambda s, T, d: T * one_step(s, T, d), "Add the div"),
    (ex.check_gaussian_epsilon, one_step, "for one step"),
    (
        ex.check_gaussian_epsilon,
        lambda s, T, d: many_steps(s, T, d) - T / (2 * s**2),
        "first term is missing",
    ),
    (
        ex.check_gaussian_epsilon,
        lambda s, T, d: many_steps(s / 2**0.5, T, d),
        "lost the 2",
    ),
    (
        ex.check_gaussian_epsilon,
        lambda s, T, d: 1 + s * math.sqrt(2 * math.log(1 / d) / T),
        "best order",
    ),
    (ex.check_gaussian_epsilon, lambda s, T, d: 99, "expected"),
]


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
