"""Exercises of lecture 12: other right answers pass, mistakes are named."""

import numpy as np
import torch
import torch.nn.functional as F
from exercise_cases import variants
from scipy.optimize import brentq

from course_lib.exercises import scaling
from course_lib.exercises.scaling import EXERCISES, price_of_sharing
from course_lib.models.modern import angles, rotate


def with_complex_numbers(x, m):
    half = len(x) // 2
    z = (x[:half] + 1j * x[half:]) * np.exp(
        1j * m * 10_000.0 ** (-np.arange(half) / half)
    )
    return np.concatenate([z.real, z.imag])


def by_the_library(x, m):
    angle = angles(1, len(x), first=m, dtype=torch.float64)
    return rotate(torch.tensor(x)[None], angle)[0].numpy()


def by_torch(q, k, v):
    parts = (torch.tensor(part)[None] for part in (q, k, v))
    out = F.scaled_dot_product_attention(*parts, is_causal=True, enable_gqa=True)
    return out[0].numpy()


def by_scores(q, k, v, dim, offset):
    """Softmax of torch along a chosen axis; a score from `offset` on is masked."""
    K, V = (np.repeat(part, len(q) // len(k), axis=0) for part in (k, v))
    scores = torch.tensor(q @ K.transpose(0, 2, 1) / q.shape[2] ** 0.5)
    later = torch.ones_like(scores).triu(offset).bool()
    return (scores.masked_fill(later, -1e12).softmax(dim=dim) @ torch.tensor(V)).numpy()


def searched(C, A, alpha, B, beta):
    """Where the slope in log N vanishes, found by bisection."""

    def slope(power):
        N = 10.0**power
        return beta * B * (6 * N / C) ** beta - alpha * A * N**-alpha

    return 10.0 ** brentq(slope, 0, 16, xtol=1e-13)


def by_logarithms(x, root):
    return np.exp(np.log(x) / root)


def with_rates(x, m, sign):
    """Other exponents: sign times i / half."""
    half = len(x) // 2
    z = x[:half] + 1j * x[half:]
    z = z * np.exp(1j * m * 10_000.0 ** (sign * np.arange(half) / half))
    return np.concatenate([z.real, z.imag])


def in_place(x, m):
    x, half = x.copy(), len(x) // 2
    angle = m * 10_000.0 ** (-np.arange(half) / half)
    a, b, c, s = x[:half], x[half:], np.cos(angle), np.sin(angle)
    x[:half] = a * c - b * s
    x[half:] = a * s + b * c  # a is a view of x, and has moved
    return x


def upside_down(q, k, v):
    turned = (part[:, ::-1].copy() for part in (q, k, v))
    return by_torch(*turned)[:, ::-1]


RIGHT = [
    (1, with_complex_numbers),
    (1, by_the_library),
    (2, lambda L, G, d_h, T, B, each: each * np.prod([2, L, B, G, T, d_h])),
    (3, by_torch),
    (4, searched),
]
WRONG = [
    (1, lambda x, m: with_complex_numbers(x, -m), "other way"),
    (1, lambda x, m: scaling.neighbours(x, m), "neighbouring columns"),
    (1, lambda x, m: with_complex_numbers(x, np.pi * m / 180), "radians"),
    (1, in_place, "written over it"),
    (1, lambda x, m: x, "expected"),
    (1, lambda x, m: with_rates(x, m, -2), "too slowly"),
    (1, lambda x, m: with_rates(x, m, 1), "later pairs turn slower"),
    (2, lambda L, G, d_h, T, B, each: 2 * L * d_h * T * B * each, "G heads"),
    (2, lambda L, G, d_h, T, B, each: 3 * L * G * d_h * T * B * each, "Queries"),
    (2, lambda L, G, d_h, T, B, each: L * G * d_h * T * B * each, "twice as much"),
    (2, lambda L, G, d_h, T, B, each: 2 * L * G * d_h * T * B, "bytes"),
    (
        3,
        lambda q, k, v: by_torch(
            q,
            np.tile(k, (len(q) // len(k), 1, 1)),
            np.tile(v, (len(q) // len(k), 1, 1)),
        ),
        "in turn",
    ),
    (3, lambda q, k, v: by_torch(q * 2**0.5, k, v), "scale"),
    (3, lambda q, k, v: by_torch(q / len(q) ** 0.5, k, v), "one head"),
    (3, upside_down, "upside down"),
    (3, lambda q, k, v: by_scores(q, k, v, dim=2, offset=0), "diagonal"),
    (3, lambda q, k, v: by_scores(q, k, v, dim=1, offset=1), "last axis"),
    (4, lambda C, A, a, B, b: searched(6 * C, A, a, B, b), "the 6"),
    (4, lambda C, A, a, B, b: searched(6 * C, A, a, B, b) / 6, "inside the power"),
    (4, lambda C, A, a, B, b: C / 6 / searched(C, A, a, B, b), "That is D"),
    (4, lambda C, A, a, B, b: 1 / searched(C, A, a, B, b), "That is 1 / N"),
    (
        4,
        lambda C, A, a, B, b: by_logarithms(a * A / (b * B), a + b) * (C / 6) ** b,
        "under the root",
    ),
    (
        4,
        lambda C, A, a, B, b: by_logarithms(a * A / (b * B) * (6 / C) ** b, a + b),
        "More compute",
    ),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_experiment_changes_the_sharing_alone(monkeypatch):
    sizes, heads = [], []

    def quick(model, setting):
        sizes.append(model.size)
        heads.append(model.blocks[0].attend.kv_heads)
        return []

    monkeypatch.setattr(scaling.scaling_runs, "learn", quick)
    monkeypatch.setattr(scaling.scaling_runs, "nats", lambda model, split: 2.0)
    found = price_of_sharing(seeds=1)
    assert heads == [4, 2, 1] == list(found)
    assert max(sizes) < 1.005 * min(sizes)
