"""What the acquittals of all programs share."""

from collections.abc import Callable, Mapping

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


def recognised(got: Tensor, mistakes: Mapping[str, Tensor]) -> str:
    """The sentence about the mistake that gives this result, or nothing."""
    for sentence, result in mistakes.items():
        if got.shape == result.shape and torch.allclose(got, result):
            return sentence
    return ""


def sums_to_one(weights: Tensor) -> str:
    """What is wrong with the sums of every query's weights, or nothing."""
    if weights.isnan().any():
        return (
            "Some weights are nan: 0 times minus infinity is nan, and so is a row in "
            "which everything is hidden."
        )
    sums = weights.sum(-1).flatten()
    worst = sums[(sums - 1).abs().argmax()].item()
    if abs(worst - 1) < 1e-5:
        return ""
    return f"The weights of a query sum to {worst:.2f}, not to 1."


def judged(program: Callable, fault: Callable[..., str]) -> Callable[..., str]:
    """The fault, for a result of any kind: a number may be a float or a tensor."""

    def judge(got: object, *arguments: object) -> str:
        expected = program(*arguments)
        number = isinstance(expected, float)
        number |= isinstance(expected, Tensor) and not expected.ndim
        if number and isinstance(got, Tensor) and got.ndim:
            return f"One number is expected, not {tuple(got.shape)}."
        if isinstance(expected, float) and isinstance(got, Tensor):
            got = got.item()
        if isinstance(expected, Tensor) and isinstance(got, int | float | Tensor):
            got = torch.as_tensor(got).to(expected.dtype)
        try:
            return fault(got, *arguments)
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            return apart(got, expected) or "The result is not what the program returns."

    return judge
