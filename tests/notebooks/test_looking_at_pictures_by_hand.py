"""What companion 08b says of its speller, and has no cell for, counted here."""

from functools import cache
from itertools import product
from math import prod

import numpy as np
import pytest

LETTERS, SHORTEST, LONGEST = 5, 2, 5


@cache
def ways(frames: int, letters: int) -> int:
    """In how many ways `letters` equal letters fill a sound of so many frames."""
    if letters == 0:
        return int(frames == 0)
    lasts = range(SHORTEST, min(LONGEST, frames) + 1)
    return sum(ways(frames - last, letters - 1) for last in lasts)


def likeliest(runs: list[int]) -> float:
    """The probability of the best guess: how many letters is each sound made of?"""
    counts = product(range(1, LETTERS + 1), repeat=len(runs))
    weights = [
        prod(map(ways, runs, count)) for count in counts if sum(count) == LETTERS
    ]
    return max(weights) / sum(weights)


def test_a_perfect_ear_spells_95_of_100():
    """It knows the letter behind every frame, and that there are five letters."""
    rng, right = np.random.default_rng(0), []
    for _ in range(4000):
        letters = rng.integers(6, size=LETTERS)
        lasts = rng.integers(SHORTEST, LONGEST + 1, LETTERS)
        starts = np.flatnonzero(np.diff(letters, prepend=-1))
        right.append(likeliest(np.add.reduceat(lasts, starts).tolist()))
    assert np.mean(right) == pytest.approx(0.95, abs=0.005)
