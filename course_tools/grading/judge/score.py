"""The score of a question: what came of its test cell, turned into points."""

import math
from typing import Any

import numpy as np
import torch

from course_tools.grading.judge.test_cell import Outcome
from course_tools.grading.limits import VALUE_CHARACTERS


def credit(outcome: Outcome, points: float) -> tuple[float, str | None]:
    """Return (score, text of the last value or None), as nbgrader would grade it.

    A number between 0 and `points` is partial credit, any other value full credit.
    Two things are stricter: an array or tensor of one number is this number, and less
    than 0, or not a number, is nothing. A student's result may be what made it so.
    """
    if outcome.error is not None:
        return 0.0, None
    if outcome.value is None:
        return points, None
    value = outcome.value
    if isinstance(value, np.generic | np.ndarray | torch.Tensor) and _is_one(value):
        value = value.item()
    text = repr(value)[:VALUE_CHARACTERS]
    try:
        number = float(text)
    except ValueError:
        return points, text
    if math.isnan(number) or number < 0:
        return 0.0, text
    return min(number, points), text


def _is_one(value: Any) -> bool:
    return math.prod(value.shape) == 1
