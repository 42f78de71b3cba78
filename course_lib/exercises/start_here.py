"""The practice exercise of 00_start_here: it shows how a check speaks."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def check_average_over_time(answer: Callable) -> None:
    """Mean over the time axis of (B, T, d)"""
    x = np.random.default_rng(0).standard_normal((2, 5, 3))
    mistakes = {
        "You averaged over the batch (axis 0); time is axis 1.": x.mean(axis=0),
        "You averaged over the features (axis 2); time is axis 1.": x.mean(axis=2),
        "You averaged over everything; only the time axis shall go.": x.mean(),
    }
    judge("Practice", answer, (x,), x.mean(axis=1), mistakes)
