"""The checks of lecture 01's exercises: silent, right, and each mistake by name."""

import math
from collections import Counter

import numpy as np
import pytest

from course_lib.data.balls import fold
from course_lib.exercises import sequences as exercises


def orders(sentence):
    words = sentence.split()
    repeats = math.prod(math.factorial(c) for c in Counter(words).values())
    return math.factorial(len(words)) // repeats


def wave(sigma, omega, k):
    return 2 * sigma**2 + 2 * math.sin(omega * k / 2) ** 2


RIGHT = {
    "next_place": lambda before, now: fold(2 * now - before),
    "best_memoryless": lambda p: max(p, 1 - p),
    "same_bag": orders,
    "persistence_error": wave,
    "smallest_window": lambda gap: gap + 2,
}

WRONG = [
    ("next_place", lambda before, now: 2 * now - before, "walls are missing"),
    ("next_place", lambda b, n: np.clip(2 * n - b, 0, 1), "stick to the wall"),
    ("next_place", lambda before, now: now + (before - now), "where it came from"),
    ("next_place", lambda before, now: now - before, "the step alone"),
    ("best_memoryless", lambda p: 0.5, "fair bits only"),
    ("best_memoryless", lambda p: p, "always answer 1"),
    ("best_memoryless", lambda p: 1 - p, "always answer 0"),
    ("best_memoryless", lambda p: p**2 + (1 - p) ** 2, "repeating x_t"),
    ("same_bag", lambda s: math.factorial(len(s.split())), "divide by c!"),
    ("same_bag", lambda s: math.factorial(len(set(s.split()))), "different words only"),
    ("same_bag", lambda s: orders(s) - 1, "count it"),
    ("persistence_error", lambda s, w, k: wave(s, w, 1), "one step ahead"),
    ("persistence_error", lambda s, w, k: wave(s, w, k) - s**2, "counts twice"),
    (
        "persistence_error",
        lambda s, w, k: 2 * s**2 + 4 * math.sin(w * k / 2) ** 2,
        "one half; it is missing",
    ),
    ("persistence_error", lambda s, w, k: wave(s, w, k) ** 0.5, "That is the root"),
    (
        "persistence_error",
        lambda s, w, k: wave(s, w, k) + 2 * (k - 1) * s**2,
        "only twice",
    ),
    ("smallest_window", lambda gap: gap, "the letter and the question mark"),
    ("smallest_window", lambda gap: gap + 1, "One short"),
    ("smallest_window", lambda gap: gap + 3, "One too many"),
]


def said(capsys, name, answer):
    getattr(exercises, f"check_{name}")(answer)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_are_right(capsys, name):
    assert said(capsys, name, RIGHT[name]).endswith(": right")


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("silence", [None, ...])
def test_a_stub_is_not_attempted(capsys, name, silence):
    line = said(capsys, name, lambda *_arguments: silence)
    assert line.endswith("not attempted yet")


@pytest.mark.parametrize(("name", "answer", "words"), WRONG)
def test_each_mistake_is_named(capsys, name, answer, words):
    line = said(capsys, name, answer)
    assert "not yet" in line
    assert words in line


@pytest.mark.parametrize("name", RIGHT)
def test_an_unforeseen_answer_is_not_right(capsys, name):
    line = said(capsys, name, lambda *_arguments: 0.1234)
    assert "not yet" in line


@pytest.mark.parametrize("name", RIGHT)
def test_an_answer_that_raises_is_quoted(capsys, name):
    def broken(*_arguments):
        raise KeyError("gap")

    assert "KeyError" in said(capsys, name, broken)


def test_the_wave_formula_is_what_one_measures():
    sigma, omega, k = 0.2, 0.3, 5
    rng = np.random.default_rng(0)
    phase = rng.uniform(0, 2 * np.pi, 400_000)
    noise = sigma * rng.standard_normal((2, 400_000))
    late, early = np.sin(omega * k + phase) + noise[0], np.sin(phase) + noise[1]
    assert ((late - early) ** 2).mean() == pytest.approx(
        wave(sigma, omega, k), rel=0.01
    )
