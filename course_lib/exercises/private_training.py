"""Exercises of lecture 13b, training with differential privacy."""

import math

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models import canaries
from course_lib.models.privacy import epsilon


def epsilon_of_coin(t: float) -> float:
    """P(yes | yes) over P(yes | no): t + (1 - t)/2 over (1 - t)/2."""
    return math.log((1 + t) / (1 - t))


def a_coin(rng: Generator) -> tuple:
    return (round(float(rng.uniform(0.2, 0.9)), 2),)


COIN_MISTAKES = {
    "Also those who do not tell the truth on purpose say it half of the time.": (
        lambda t: math.log(t / (1 - t))
    ),
    "That is e to the epsilon; take the logarithm.": lambda t: (1 + t) / (1 - t),
    "Epsilon is a natural logarithm.": lambda t: math.log2((1 + t) / (1 - t)),
    "Upside down: the likelier answer stands on top.": (
        lambda t: -math.log((1 + t) / (1 - t))
    ),
    "That is the probability of a true answer; compare it with that of a false one.": (
        lambda t: (1 + t) / 2
    ),
    "The other one says it by the coin alone: with probability (1 - t)/2.": (
        lambda t: math.log((1 + t) / 2 / (1 - t))
    ),
    "Divide by the probability of the same answer from somebody whose truth is the "
    "other one.": lambda t: math.log(1 / (1 - t)),
}


def private_gradient(
    g: np.ndarray, C: float, sigma: float, noise: np.ndarray, expected: int
) -> np.ndarray:
    """Shorten each gradient, add, add noise of sigma C, divide by a constant."""
    norm = np.linalg.norm(g, axis=1, keepdims=True)
    total = (g * np.minimum(1, C / norm)).sum(axis=0)
    return (total + sigma * C * noise) / expected


def gradients(rng: Generator) -> tuple:
    """Three gradients, one of them shorter than C, two longer."""
    g = rng.standard_normal((3, 2))
    length = np.array([0.3, 2.0, 4.0])[:, None]
    g = (g / np.linalg.norm(g, axis=1, keepdims=True) * length).round(2)
    C, sigma = float(rng.choice([0.8, 1.2])), float(rng.choice([0.5, 1.5]))
    return g, C, sigma, rng.standard_normal(2).round(2), int(rng.choice([5, 7]))


def mean_clipped(g, C, sigma, noise, expected):  # noqa: ANN001, ANN201
    mean = g.sum(axis=0) / expected
    return mean * min(1, C / np.linalg.norm(mean)) + sigma * C * noise / expected


def one_column(g, C, sigma, noise, expected):  # noqa: ANN001, ANN201
    lengths = np.linalg.norm(g, axis=0)
    return ((g * np.minimum(1, C / lengths)).sum(axis=0) + sigma * C * noise) / expected


def all_together(g, C, sigma, noise, expected):  # noqa: ANN001, ANN201
    length = np.linalg.norm(g)
    return ((g * min(1, C / length)).sum(axis=0) + sigma * C * noise) / expected


def squared_length(g, C, sigma, noise, expected):  # noqa: ANN001, ANN201
    squares = (g**2).sum(axis=1, keepdims=True)
    return ((g * np.minimum(1, C / squares)).sum(axis=0) + sigma * C * noise) / expected


def stretched(g, C, sigma, noise, expected):  # noqa: ANN001, ANN201
    unit = g / np.linalg.norm(g, axis=1, keepdims=True)
    return (C * unit.sum(axis=0) + sigma * C * noise) / expected


GRADIENT_MISTAKES = {
    "You clipped the sum or the mean: one record could still turn it. Clip each "
    "gradient, then add.": mean_clipped,
    "You made every gradient C long; those that are shorter stay as they are.": (
        stretched
    ),
    "You took one length for all gradients together; each row has its own.": (
        all_together
    ),
    "Those are the lengths of the columns; a gradient is a row.": one_column,
    "You compared the lengths with 1; what is longer than C becomes C long.": (
        lambda g, C, s, z, n: private_gradient(g, 1.0, 0, z, n) + s * C * z / n
    ),
    "You clipped every entry; C is the length of the whole gradient.": (
        lambda g, C, s, z, n: (np.clip(g, -C, C).sum(axis=0) + s * C * z) / n
    ),
    "Divide by the expected size of the batch, a number that depends on nobody's "
    "data.": lambda g, C, s, z, n: private_gradient(g, C, s, z, len(g)),
    "The gradients, too, are divided by the expected size of the batch, not by those "
    "that were drawn.": (
        lambda g, C, s, z, n: private_gradient(g, C, 0, z, len(g)) + s * C * z / n
    ),
    "The noise must grow with C: its standard deviation is sigma C.": (
        lambda g, C, s, z, n: private_gradient(g, C, s / C, z, n)
    ),
    "Sigma is a standard deviation already; do not square it.": (
        lambda g, C, s, z, n: private_gradient(g, C, s * s, z, n)
    ),
    "You compared C with the squared length; take the root.": squared_length,
    "The noise belongs to the sum, before the division.": (
        lambda g, C, s, z, n: private_gradient(g, C, s * n, z, n)
    ),
    "You added the noise to every gradient; it is added once, to their sum.": (
        lambda g, C, s, z, n: private_gradient(g, C, s * len(g), z, n)
    ),
    "The noise is missing.": lambda g, C, s, z, n: private_gradient(g, C, 0, z, n),
    "That is the noisy sum; divide it by the expected size of the batch.": (
        lambda g, C, s, z, n: private_gradient(g, C, s, z, 1)
    ),
}


def gaussian_epsilon(sigma: float, T: int, delta: float) -> float:
    """A + Au + B/u with A = T / (2 sigma^2), B = ln(1/delta): best at u = root(B/A)."""
    A, B = T / (2 * sigma**2), math.log(1 / delta)
    return A + 2 * math.sqrt(A * B)


def a_run(rng: Generator) -> tuple:
    sigma = float(rng.choice([2.0, 5.0, 8.0]))
    return sigma, int(rng.integers(2, 30)), float(rng.choice([1e-3, 1e-5]))


EPSILON_MISTAKES = {
    "That is T times the epsilon of one step. Add the divergences first, convert "
    "once.": lambda sigma, T, delta: T * gaussian_epsilon(sigma, 1, delta),
    "The first term is missing: put the best order back into both terms.": (
        lambda sigma, T, delta: math.sqrt(2 * T * math.log(1 / delta)) / sigma
    ),
    "That is for one step.": lambda sigma, T, delta: gaussian_epsilon(sigma, 1, delta),
    "At the best order the two terms in u are equal, and both count: 2 root(AB).": (
        lambda sigma, T, delta: (
            T / (2 * sigma**2) + math.sqrt(T * math.log(1 / delta) / 2) / sigma
        )
    ),
    "ln is the natural logarithm, not the one to base 10.": (
        lambda sigma, T, delta: gaussian_epsilon(sigma, T, delta ** (1 / math.log(10)))
    ),
    "The divergence of a step is alpha / (2 sigma^2); you lost the 2.": (
        lambda sigma, T, delta: gaussian_epsilon(sigma / math.sqrt(2), T, delta)
    ),
    "That is the best whole number for alpha; it may be any real number above 1.": (
        lambda sigma, T, delta: min(
            T * order / (2 * sigma**2) + math.log(1 / delta) / (order - 1)
            for order in range(2, 129)
        )
    ),
    "That is the best order; put it back into the expression.": (
        lambda sigma, T, delta: 1 + math.sqrt(2 * sigma**2 * math.log(1 / delta) / T)
    ),
}


def clip_lengths(
    lengths: tuple = (0.1, 0.3, 1.0, 3.0), sigma: float = 1.0, seeds: int = 2
) -> dict[float, list[tuple[float, float]]]:
    """Perplexity and exposure (32 copies) for several C, at one and the same epsilon.

    Epsilon depends on sigma, q and the steps, not on C: noise and gradients shrink
    together. What C changes is the bias: shorter, more lines are cut to one length.
    Adam divides by the size of the gradient, so a small C need not mean small steps;
    with plain SGD the learning rate would have to follow. Choosing C by these numbers
    would itself look at the data.

    Found, seeds 0 and 1: perplexity 17.0 and 16.7 with C = 0.1, with 0.3 and with 1.
    Here every gradient is longer than 1, so all are cut to one length each time, and
    Adam takes the scale out. With C = 3, which hardly one of them reaches, the noise
    is three times as large and the gradients are not: 19.2 and 19.6. The key with 32
    copies had all its 13.3 bits in all eight runs.
    """
    lines = canaries.plant(0)
    promised = epsilon(canaries.BATCH / len(lines), sigma, canaries.STEPS, 1e-4)
    print(f"epsilon {promised:.1f} for every C")
    found: dict[float, list[tuple[float, float]]] = {}
    for C in lengths:
        for seed in range(seeds):
            model = canaries.learn_privately(canaries.plant(seed), seed, sigma, C)
            new = canaries.perplexity(model, canaries.text()[1])
            row = (new, canaries.exposures(model, seed)[32])
            found.setdefault(C, []).append(row)
    return found


EXERCISES = Exercises(
    "private_training",
    Exercise(1, "*", epsilon_of_coin, a_coin, COIN_MISTAKES),
    Exercise(2, "**", private_gradient, gradients, GRADIENT_MISTAKES),
    Exercise(3, "**", gaussian_epsilon, a_run, EPSILON_MISTAKES),
    Exercise(4, "***", clip_lengths),
)
check, solution = EXERCISES.check, EXERCISES.solution
