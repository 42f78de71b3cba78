"""The score of a question: what came of its test cell, turned into points."""

import math

import numpy as np

from course_tools.grading.judge.test_cell import Outcome
from course_tools.grading.limits import VALUE_CHARACTERS


def credit(outcome: Outcome, points: float) -> tuple[float, str | None]:
    """Return (score, text of the last value or None), as nbgrader would grade it.

    A number between 0 and `points` is partial credit, any other value full credit.
    """
    if outcome.error is not None:
        return 0.0, None
    if outcome.value is None:
        return points, None
    value = outcome.value
    if isinstance(value, np.generic):
        value = value.item()
    text = repr(value)[:VALUE_CHARACTERS]
    try:
        number = float(text)
    except ValueError:
        return points, text
    if math.isnan(number) or number < 0:
        return points, text
    return min(number, points), text
