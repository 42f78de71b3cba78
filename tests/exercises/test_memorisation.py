"""Exercises of lecture 13: other right answers pass, mistakes are named."""

import math

import numpy as np
from exercise_cases import variants

from course_lib.exercises.memorisation import EXERCISES, copies_or_steps
from course_lib.models import canaries, privacy


def log_factorial(n):
    return math.log2(n) - math.log2(math.factorial(n)) / n


def by_powers(H, first, new, w, base, prime):
    lead = pow(base, w - 1, prime)
    return ((H - first * lead) * base + new) % prime


def by_loops(read, new):
    hits = [1.0 if a < b else 0.5 if a == b else 0.0 for a in read for b in new]
    return np.mean(hits)


RIGHT = [
    (1, privacy.exposure),
    (2, log_factorial),
    (2, privacy.chance_exposure),
    (4, by_powers),
    (5, by_loops),
]
WRONG = [
    (1, lambda s, k: math.log2(len(s) / (1 + (s > s[k]).sum())), "win its ties"),
    (1, lambda s, k: math.log2(len(s) / (s >= s[k]).sum()), "lose its ties"),
    (1, privacy.rank, "That is the rank"),
    (1, lambda s, k: math.log(len(s) / privacy.rank(s, k)), "base 2"),
    (1, lambda s, k: math.log2(10 / 4) if len(s) != 10 else 3.0, "expected"),
    (1, lambda s, k: math.log2(len(s) / (1 + np.argsort(-s)[k])), "argsort"),
    (1, lambda s, k: math.log2(len(s) * np.exp(s)[k] / np.exp(s).sum()), "with 1/n"),
    (2, lambda n: 1 / math.log(2), "limit"),
    (2, lambda n: math.log2(2 * n / (n + 1)), "mean rank"),
    (2, lambda n: np.log2(np.arange(1, n + 1)).mean(), "subtract it"),
    (4, lambda H, a, b, w, B, P: (H * B + b) % P, "still in it"),
    (4, lambda H, a, b, w, B, P: (H - a * B ** (w - 1)) * B + b, "remainder"),
    (4, lambda H, a, b, w, B, P: (H - a * B ** (w - 1)) % P * B + b, "comes before"),
    (4, lambda H, a, b, w, B, P: ((H - b * B ** (w - 1)) * B + a) % P, "exchanged"),
    (5, lambda r, n: (r[:, None] < n).mean(), "no hit and no miss"),
    (5, lambda r, n: np.mean(r[: len(n)] < n[: len(r)]), "at its place"),
    (5, lambda r, n: (r[:, None] > n).mean() + (r[:, None] == n).mean() / 2, "Turned"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_experiment_compares_keys_that_were_seen_equally_often(monkeypatch):
    monkeypatch.setattr(canaries, "STEPS", 200)

    def quick(lines, seed, d=32, watch=None):
        model = canaries.TinyTransformer(d=2)
        for step in (100, 200):
            watch(step, model)

    monkeypatch.setattr(canaries, "learn", quick)
    found = copies_or_steps(seeds=2)
    assert set(map(len, found.values())) == {2}
    assert "193 looks, step 100" in found
    assert "193 looks, step 200" in found
