"""Exercises of lecture 06c, music, mood and weather."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises


def eighths_in_bars(tokens: list[str]) -> list[int]:
    """Start at the first line, close a bar at each further one."""
    bars, here = [], None
    for token in tokens:
        if token == "|":
            if here is not None:
                bars.append(here)
            here = 0
        elif here is not None:
            here += int(token[1:] or 1)
    return bars


def short_tune(rng: Generator) -> tuple:
    """An upbeat, a few bars, and notes after the last line."""
    tokens = []
    for _ in range(int(rng.integers(4, 6))):
        for _ in range(int(rng.integers(1, 5))):
            length = int(rng.integers(1, 4))
            tokens.append(str(rng.choice(list("ABCDEFG"))) + str(length) * (length > 1))
        tokens.append("|")
    return ([*tokens, "A2"],)


def with_the_upbeat(tokens: list[str]) -> list[int]:
    return eighths_in_bars(["|", *tokens])


BARS_MISTAKES = {
    "What stands before the first line is an upbeat, not a bar.": with_the_upbeat,
    "What follows the last line is not a bar yet.": (
        lambda tokens: eighths_in_bars([*tokens, "|"])
    ),
    "Both ends are counted; only bars between two lines are.": (
        lambda tokens: with_the_upbeat([*tokens, "|"])
    ),
    "A note without a number is one eighth long, not none.": (
        lambda tokens: eighths_in_bars(
            [
                token if len(token) != 1 or token == "|" else token + "0"
                for token in tokens
            ]
        )
    ),
    "You counted notes; add up their lengths.": (
        lambda tokens: eighths_in_bars([token[:1] for token in tokens])
    ),
}


def seasonal_naive(history: np.ndarray, k: int) -> float:
    """The latest known value of the same month of the year."""
    return float(history[len(history) - 12 + (k - 1) % 12])


def months(rng: Generator) -> tuple:
    length = int(rng.integers(14, 31))
    return rng.standard_normal(length).round(1).cumsum().round(1), int(
        rng.choice([1, 5, 12, 13, 24, 30])
    )


def shifted(by: int):
    return lambda history, k: float(history[len(history) - 12 + (k - 1 + by) % 12])


SEASON_MISTAKES = {
    "That is the mean of this month over all years; take the latest.": (
        lambda history, k: float(history[(len(history) + k - 1) % 12 :: 12].mean())
    ),
    "That is persistence, the last value; go back to the same month.": (
        lambda history, k: float(history[-1])
    ),
    "One month off: k = 1 is the month after the last one.": shifted(1),
    "One month off the other way: k = 12 is the last known month again.": shifted(-1),
    "For k = 12 and 24 k % 12 is 0, a year too early: (k - 1) % 12.": (
        lambda history, k: float(history[len(history) - 13 + k % 12])
    ),
    "One year back is not enough for k above 24: take the remainder.": (
        lambda history, k: (
            float(history[len(history) + k - 13 - 12 * (k > 12)])
            if k < 25
            else float(history[k - 25])
        )
    ),
    "That is the mean of the last year.": lambda history, k: history[-12:].mean(),
    "That is the same month of the first year; take the latest.": (
        lambda history, k: float(history[(len(history) + k - 1) % 12])
    ),
}


def partial_reader(
    sentences: Sequence[str], labels: Sequence[int], places: Sequence[int], trained: int
) -> float:
    """A reader that sees only the words at these places, and counts.

    For every combination of words seen in training it answers with the label that was
    more frequent there, for a new one with the more frequent label of all. Its share
    of right answers on the rest is what the places alone are worth. Places count from
    the front, negative ones from the end: try [3], [-1], [-3, -2, -1], and, for the
    reviews, all of a clause. It could never find a shortcut that lies in no fixed
    place, such as the number of words, a word anywhere, or the order of two.
    """
    seen = [tuple(s.split()[p] for p in places) for s in sentences]
    votes: dict = defaultdict(Counter)
    for words, label in zip(seen[:trained], labels, strict=False):
        votes[words][int(label)] += 1
    usual = Counter(int(label) for label in labels[:trained]).most_common(1)[0][0]
    said = [
        votes[words].most_common(1)[0][0] if words in votes else usual
        for words in seen[trained:]
    ]
    return float(np.mean(np.array(said) == np.array(labels[trained:], dtype=int)))


EXERCISES = Exercises(
    "music_mood_weather",
    Exercise(1, "*", eighths_in_bars, short_tune, BARS_MISTAKES),
    Exercise(2, "***", partial_reader),
    Exercise(3, "*", seasonal_naive, months, SEASON_MISTAKES, instances=9),
)
check, solution = EXERCISES.check, EXERCISES.solution
