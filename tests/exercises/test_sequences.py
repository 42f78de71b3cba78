"""Exercises of lecture 01: other right answers pass, mistakes are named."""

import math
from collections import Counter

import numpy as np
import torch
from exercise_cases import variants

from course_lib.data.balls import fold
from course_lib.exercises.exercise import examine
from course_lib.exercises.sequences import EXERCISES, noise_and_history, rules
from course_lib.seeds import set_seed


def orders(sentence):
    words = sentence.split()
    repeats = math.prod(math.factorial(c) for c in Counter(words).values())
    return math.factorial(len(words)) // repeats


def factorial_over_counts(sentence):
    words = sentence.split()
    return math.factorial(len(words)) / math.prod(Counter(words).values())


def ends(states, lengths):
    return np.stack([row[n - 1] for row, n in zip(states, lengths, strict=True)])


def least_squares(x, k):
    return np.linalg.lstsq(x[:-k, None], x[k:], rcond=None)[0][0]


def in_place(before, now):
    now += now - before
    return fold(now)


def turned_round(before, now):
    """The step changes its sign as soon as it would lead out of the box."""
    step = now - before
    return now + np.where(np.abs(now + step - 0.5) > 0.5, -step, step)


def flipped_at_one(before, now):
    place = 2 * now - before
    place[place > 1] = 1 - place[place > 1]
    return abs(place)


RIGHT = [
    (1, lambda before, now: fold(2 * now - before)),
    (2, lambda p: 0.5 + abs(p - 0.5)),
    (3, orders),
    (4, ends),
    (5, least_squares),
]
WRONG = [
    (1, lambda before, now: 2 * now - before, "walls are missing"),
    (1, lambda b, n: np.clip(2 * n - b, 0, 1), "stick to the wall"),
    (1, lambda before, now: np.abs(2 * now - before), "walls at 1 as well"),
    (1, lambda before, now: (2 * now - before) % 1, "on the other side"),
    (1, lambda before, now: now + (before - now), "where it came from"),
    (1, lambda before, now: now - before, "the step alone"),
    (1, lambda before, now: now, "persistence"),
    (1, turned_round, "turns round at the wall"),
    (1, lambda before, now: before - (now - before), "go on from now"),
    (1, flipped_at_one, "2 - place"),
    (1, in_place, "changes its arguments"),
    (2, lambda p: 0.5, "fair bits only"),
    (2, lambda p: p, "always answer 1"),
    (2, lambda p: 1 - p, "always answer 0"),
    (2, lambda p: p**2 + (1 - p) ** 2, "repeating x_t"),
    (3, lambda s: math.factorial(len(s.split())), "divide by c!"),
    (3, lambda s: math.factorial(len(set(s.split()))), "different words only"),
    (2, lambda p: 1.0 if p > 0.5 else 0.0, "likelier answer"),
    (3, lambda s: orders(s) - 1, "count it"),
    (3, lambda s: math.prod(range(1, len(s) + 1)), "expected"),
    (3, factorial_over_counts, "not by c."),
    (3, lambda s: 30, "expected"),
    (4, lambda states, n: states[:, -1], "padded row"),
    (4, lambda states, n: states[np.arange(3), np.minimum(n, 4)], "too far"),
    (4, lambda states, n: states[np.arange(3), n], "raised IndexError"),
    (4, lambda states, n: states[:, 0], "first state"),
    (4, lambda states, n: np.take(states, n - 1, axis=1), "number the rows"),
    (4, lambda states, n: (states / n[:, None, None]).sum(1), "the whole row"),
    (5, lambda x, k: x[:-1] @ x[1:] / (x[:-1] @ x[:-1]), "k steps ahead"),
    (5, lambda x, k: x[:-k] @ x[k:] / (x[k:] @ x[k:]), "not of x_{t+k}"),
    (5, lambda x, k: x[:-k] @ x[k:] / (x @ x), "no others"),
    (5, lambda x, k: np.corrcoef(x[:-k], x[k:])[0, 1], "correlation"),
    (5, lambda x, k: (x[k:] / x[:-k]).mean(), "mean of the ratios"),
    (5, lambda x, k: x[k:].mean() / x[:-k].mean(), "ratio of the sums"),
    (5, lambda x, k: sum(x[:-k] * x[k:]) / sum(x[:-k]) ** 2, "below the line"),
    (5, lambda x, k: least_squares(x, 1) ** k, "k steps ahead at once"),
    (5, lambda x, k: np.polyfit(x[:-k], x[k:], 1)[0], "intercept"),
    (5, lambda x, k: round(least_squares(x, k), 2), "expected"),
]
RAISES = [case for case in WRONG if case[2].startswith("raised")]

test_right, test_wrong = variants(
    EXERCISES, RIGHT, [case for case in WRONG if case not in RAISES]
)


def test_an_answer_that_raises_is_quoted():
    for number, answer, words in RAISES:
        assert words in examine(EXERCISES[number], answer)


def test_rules_are_right_for_a_straight_flight():
    path = torch.tensor([0.3, 0.5]) + torch.arange(6)[:, None] * torch.tensor([0.02])
    found = rules(path[None].float())
    for name in ("two frames", "line"):
        expected = path[-1] + 0.02
        np.testing.assert_allclose(found[name][0, -1], expected, atol=1e-6)
    np.testing.assert_allclose(found["persistence"][0, -1], path[-1], atol=1e-6)


def test_the_experiment_of_exercise_6_runs_and_learns():
    set_seed(0)
    found = noise_and_history(seeds=(0,), steps=80)
    assert set(found) == {"persistence", "two frames", "line", "state"}
    (errors,) = found["state"]
    assert errors.shape == (8,)
    assert errors[-1] < found["persistence"][0][-1]
