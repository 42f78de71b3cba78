"""What the acquittals of all programs share."""

import torch
from numpy.random import Generator
from torch import Tensor

from course_lib.exercises.difference import first_difference


def tensor(rng: Generator, *shape: int) -> Tensor:
    """Normal random numbers, in double precision."""
    return torch.tensor(rng.normal(size=shape))


def apart(got: object, expected: object) -> str:
    """The first entry that differs, in words, or nothing."""
    different = first_difference(got, expected, 1e-5)
    if different is None:
        return ""
    where = f"Entry {different.where}" if different.where else "The result"
    return f"{where} is {different.got}; it should be {different.expected}."
