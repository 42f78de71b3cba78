"""Exercises of lecture 06c: other right answers pass, mistakes are named."""

import numpy as np
from exercise_cases import variants

from course_lib.exercises.music_mood_weather import EXERCISES, partial_reader


def length(token):
    return int(token[1:]) if len(token) > 1 else 1


def bars(tokens, first=1, last=-1, measure=length):
    """Cut at the lines, leave out the two ends."""
    parts = " ".join(tokens).split("|")
    stop = len(parts) + last + 1 if last < 0 else last
    return [sum(map(measure, part.split())) for part in parts[first : stop - 1]]


def season(history, k, shift=0):
    return np.tile(history[-12:], 4)[k - 1 + shift]


RIGHT = [(1, bars), (3, season)]
WRONG = [
    (1, lambda tokens: bars(tokens, first=0), "upbeat"),
    (1, lambda tokens: bars([*tokens, "|"]), "last line"),
    (1, lambda tokens: bars(["|", *tokens, "|"]), "Both ends"),
    (1, lambda tokens: bars(tokens, measure=lambda _: 1), "lengths"),
    (1, lambda tokens: bars(tokens, measure=lambda t: int(t[1:] or 0)), "not none"),
    (3, lambda x, k: x[-13:][k % 12], "a year too early"),
    (3, lambda x, k: x[-1], "persistence"),
    (3, lambda x, k: season(x, k, 1), "k = 1 is the month after"),
    (3, lambda x, k: season(x, k + 11), "k = 12 is the last"),
    (3, lambda x, k: x[-12 + k - 1] if k < 13 else x[-12 + k - 13], "remainder"),
    (3, lambda x, k: x[-12:].mean(), "mean of the last"),
    (3, lambda x, k: x[(len(x) + k - 1) % 12], "the latest"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_a_partial_reader_finds_the_word_that_decides_and_no_other():
    rng = np.random.default_rng(0)
    pairs = rng.integers(2, size=(400, 2))
    sentences = [f"{'ab'[first]} {'cd'[last]}" for first, last in pairs]
    labels = pairs[:, 1]
    assert partial_reader(sentences, labels, [-1], trained=200) == 1
    assert partial_reader(sentences, labels, [0], trained=200) < 0.65


def test_a_partial_reader_answers_what_is_usual_when_it_sees_something_new():
    sentences, labels = ["x 1", "x 2", "y 3", "z 9"], [1, 1, 0, 1]
    assert partial_reader(sentences, labels, [0], trained=3) == 1
