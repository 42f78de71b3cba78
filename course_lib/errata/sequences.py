"""What makes a sequence."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import numpy as np

from course_lib.errata.evidence import (
    decide,
    numbers,
)


def tracking_is_supervised_learning_with_a_memory() -> str:
    """E64: the gain of tracking comes from time; without labels nothing is learned.

    A thing moves evenly for four frames and is hidden in the last: where is it? Least
    squares on the history, fitted with true labels and with labels of other films.
    """
    start, speed = numbers(4, 2, 200, 1).numpy()
    path = start + speed * np.arange(4)
    history = np.hstack([path[:, :3], np.ones((200, 1))])
    fit = lambda labels: np.linalg.lstsq(history, labels, rcond=None)[0]
    error = lambda w: np.abs(history @ w - path[:, 3]).mean()
    shuffled = error(fit(np.roll(path[:, 3], 1)))
    frame_by_frame = np.abs(path[:, 3] - path[:, 3].mean()).mean()  # hidden: a guess
    assert frame_by_frame > 1
    names, taught = ("labels of other films", "true labels"), error(fit(path[:, 3]))
    return decide("error in the hidden frame", 0.0, shuffled, taught, names=names)
