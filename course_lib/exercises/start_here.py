"""The practice exercise of 00_start_here: it shows how a check speaks."""

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises


def average_over_time(x: np.ndarray) -> np.ndarray:
    """Batch first: axis 0 is the batch, axis 1 is time, axis 2 the features."""
    return x.mean(axis=1)


def batch(rng: Generator) -> tuple:
    shape = rng.choice([2, 3, 5], 3, replace=False)  # no two axes of one size
    return (rng.integers(-9, 10, shape).astype(float),)


MISTAKES = {
    "You averaged over the batch (axis 0); time is axis 1.": lambda x: x.mean(axis=0),
    "You averaged over the features (axis 2); time is axis 1.": (
        lambda x: x.mean(axis=2)
    ),
    "You averaged over everything; only the time axis goes away.": lambda x: x.mean(),
    "That is the sum over time; divide it by T.": lambda x: x.sum(axis=1),
    "Divide by T, the number of steps, not by the size of the batch.": (
        lambda x: x.sum(axis=1) / len(x)
    ),
    "The axis of time should be gone: (B, d), without keepdims.": (
        lambda x: x.mean(axis=1, keepdims=True)
    ),
}

EXERCISES = Exercises(
    "start_here", Exercise(1, "*", average_over_time, batch, MISTAKES)
)
check, solution = EXERCISES.check, EXERCISES.solution
