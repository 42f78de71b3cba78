"""Exercises of lecture 13b: other right answers pass, mistakes are named."""

import math

import numpy as np
import torch
from exercise_cases import variants

from course_lib.exercises.private_training import EXERCISES, clip_lengths
from course_lib.models import canaries


def in_torch(g, C, sigma, noise, expected):
    rows = torch.tensor(g)
    lengths = rows.norm(dim=1, keepdim=True)
    rows = torch.where(lengths > C, rows / lengths * C, rows)
    return (rows.sum(dim=0).numpy() + sigma * C * noise) / expected


def searched(sigma, T, delta):
    """The minimum over the order, searched instead of derived."""
    order = 1 + np.exp(np.linspace(-4, 8, 400_001))
    return (T * order / (2 * sigma**2) + math.log(1 / delta) / (order - 1)).min()


def clip_mean(g, C, sigma, noise, expected):
    mean = g.sum(axis=0) / expected
    return mean * min(1, C / np.linalg.norm(mean)) + sigma * C * noise / expected


def clip_all_together(g, C, sigma, noise, expected):
    return (g * min(1, C / np.linalg.norm(g))).sum(0) / expected + (
        sigma * C * noise / expected
    )


def clip_columns(g, C, sigma, noise, expected):
    short = g * np.minimum(1, C / np.linalg.norm(g, axis=0))
    return (short.sum(axis=0) + sigma * C * noise) / expected


RIGHT = [
    (1, lambda t: math.log((t + (1 - t) / 2) / ((1 - t) / 2))),
    (1, lambda t: 2 * math.atanh(t)),
    (2, in_torch),
    (3, searched),
]
WRONG = [
    (1, lambda t: math.log(t / (1 - t)), "half of the time"),
    (1, lambda t: (1 + t) / (1 - t), "take the logarithm"),
    (1, lambda t: math.log(3), "expected"),
    (2, clip_mean, "Clip each"),
    (2, clip_all_together, "each row has its own"),
    (2, clip_columns, "a gradient is a row"),
    (2, lambda g, C, s, z, n: in_torch(g, C, s, z, len(g)), "expected size"),
    (
        *(2, lambda g, C, s, z, n: in_torch(g, C, 0.0, z, len(g)) + s * C * z / n),
        "The gradients, too",
    ),
    (2, lambda g, C, s, z, n: in_torch(g, C, 0.0, z, n), "noise is missing"),
    (2, lambda g, C, s, z, n: in_torch(g, C, s * n, z, n), "before the division"),
    (3, lambda sigma, T, delta: T * searched(sigma, 1, delta), "convert"),
    (3, lambda sigma, T, delta: searched(sigma, 1, delta), "one step"),
    (
        3,
        lambda s, T, delta: T / 2 / s**2 + math.sqrt(2 * T * -math.log10(delta)) / s,
        "base 10",
    ),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_experiment_changes_the_clip_length_alone(monkeypatch, capsys):
    seen = []

    def quick(lines, seed, sigma, C):
        seen.append((len(lines), seed, sigma, C))
        return canaries.TinyTransformer(d=2)

    monkeypatch.setattr(canaries, "learn_privately", quick)
    found = clip_lengths(lengths=(0.1, 1.0), seeds=1)
    assert seen == [(1063, 0, 1.0, 0.1), (1063, 0, 1.0, 1.0)]
    assert set(found) == {0.1, 1.0}
    assert "epsilon 6.6 for every C" in capsys.readouterr().out
