"""How every exercise check speaks."""

from collections.abc import Callable

import numpy as np


def equal(got, expected) -> bool:
    """Same shape and, up to rounding, the same numbers."""
    try:
        got = np.asarray(got, dtype=float)
    except (TypeError, ValueError):
        return False
    expected = np.asarray(expected, dtype=float)
    return got.shape == expected.shape and np.allclose(got, expected, atol=1e-6)


def judge(
    exercise: str, answer: Callable, arguments: tuple, right, mistakes: dict
) -> None:
    """Call the answer once, and print the verdict.

    mistakes  maps a sentence to the value that a student who made this mistake would
              get; the first that matches is named.
    """
    try:
        got = answer(*arguments)
    except Exception as error:
        print(f"{exercise}: your function raised {type(error).__name__}: {error}")
        return
    if got is None or got is Ellipsis:
        print(f"{exercise}: not attempted yet")
        return
    if equal(got, right):
        print(f"{exercise}: right")
        return
    for sentence, value in mistakes.items():
        if equal(got, value):
            print(f"{exercise}: not yet. {sentence}")
            return
    print(f"{exercise}: not yet. {_difference(got, right)}")


def _difference(got, right) -> str:
    shape, expected = np.shape(got), np.shape(right)
    if shape != expected:
        return f"The result has shape {shape}; expected {expected}."
    if expected == ():
        return f"For this example the result is {got}; expected {right}."
    return "The shape is right, the numbers are not."
