"""The checks of lecture 01's exercises: silent, right, and each mistake by name."""

import math
from collections import Counter

import numpy as np
import pytest
from exercise_cases import by_check, exercise_tests

from course_lib.data.balls import fold
from course_lib.exercises import sequences as ex


def orders(sentence):
    words = sentence.split()
    repeats = math.prod(math.factorial(c) for c in Counter(words).values())
    return math.factorial(len(words)) // repeats


def wave(sigma, omega, k):
    return 2 * sigma**2 + 2 * math.sin(omega * k / 2) ** 2


RIGHT = {
    ex.check_next_place: lambda before, now: fold(2 * now - before),
    ex.check_best_memoryless: lambda p: max(p, 1 - p),
    ex.check_same_bag: orders,
    ex.check_persistence_error: wave,
    ex.check_smallest_window: lambda gap: gap + 2,
}


WRONG = {
    ex.check_next_place: [
        (lambda before, now: 2 * now - before, "walls are missing"),
        (lambda b, n: np.clip(2 * n - b, 0, 1), "stick to the wall"),
        (lambda before, now: now + (before - now), "where it came from"),
        (lambda before, now: now - before, "the step alone"),
    ],
    ex.check_best_memoryless: [
        (lambda p: 0.5, "fair bits only"),
        (lambda p: p, "always answer 1"),
        (lambda p: 1 - p, "always answer 0"),
        (lambda p: p**2 + (1 - p) ** 2, "repeating x_t"),
    ],
    ex.check_same_bag: [
        (lambda s: math.factorial(len(s.split())), "divide by c!"),
        (lambda s: math.factorial(len(set(s.split()))), "different words only"),
        (lambda s: orders(s) - 1, "count it"),
    ],
    ex.check_persistence_error: [
        (lambda s, w, k: wave(s, w, 1), "one step ahead"),
        (lambda s, w, k: wave(s, w, k) - s**2, "counts twice"),
        (
            lambda s, w, k: 2 * s**2 + 4 * math.sin(w * k / 2) ** 2,
            "one half; it is missing",
        ),
        (lambda s, w, k: wave(s, w, k) ** 0.5, "That is the root"),
        (lambda s, w, k: wave(s, w, k) + 2 * (k - 1) * s**2, "only twice"),
    ],
    ex.check_smallest_window: [
        (lambda gap: gap, "the letter and the question mark"),
        (lambda gap: gap + 1, "One short"),
        (lambda gap: gap + 3, "One too many"),
    ],
}


test_right, test_wrong, test_open = exercise_tests([*RIGHT.items()], by_check(WRONG))


def test_the_wave_formula_is_what_one_measures():
    sigma, omega, k = 0.2, 0.3, 5
    rng = np.random.default_rng(0)
    phase = rng.uniform(0, 2 * np.pi, 400_000)
    noise = sigma * rng.standard_normal((2, 400_000))
    late, early = np.sin(omega * k + phase) + noise[0], np.sin(phase) + noise[1]
    assert ((late - early) ** 2).mean() == pytest.approx(
        wave(sigma, omega, k), rel=0.01
    )
