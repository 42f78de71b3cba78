"""Checks that print one line a person can read, and stop the notebook if it is false.

`same(...)` compares two arrays against a bound that is stated before the value:

    BPTT = autograd: max difference 3.1e-12 (bound 1e-10)

The measured value depends a little on the processor, so the notebook tests compare the
sentence and the bound, not the digits; the assertion is what holds it.

`holds(...)` and `table(...)` do the same for anything that was measured; they are
written in measured.py.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from course_lib.measured import holds, measured, table

__all__ = [
    "differ",
    "holds",
    "max_difference",
    "measured",
    "numerical_gradient",
    "predicted",
    "same",
    "same_gradients",
    "shapes",
    "table",
    "to_numpy",
]

PREDICTED = "Prediction made? Then compare:"


def to_numpy(x: Any) -> np.ndarray:
    """An array, tensor, number or nested list as a NumPy array."""
    if isinstance(x, torch.Tensor):
        return x.detach().numpy()
    return np.asarray(x)


def max_difference(a: Any, b: Any) -> float:
    """Largest absolute entry of a - b; the shapes must agree exactly."""
    a, b = to_numpy(a), to_numpy(b)
    if a.shape != b.shape:
        raise ValueError(
            f"cannot compare arrays of shapes {a.shape} and {b.shape}: "
            "broadcasting would hide a missing or a transposed axis"
        )
    return float(np.max(np.abs(a - b), initial=0.0))


def same(claim: str, a: Any, b: Any, bound: float = 1e-10) -> None:
    """Assert max |a - b| <= bound and print the claim with both numbers."""
    difference = max_difference(a, b)
    if not difference <= bound:  # also catches nan
        raise AssertionError(
            f"{claim}: max difference {difference:.1e} exceeds the bound {bound:.0e}"
        )
    print(f"{claim}: max difference {difference:.1e} (bound {bound:.0e})")


def differ(claim: str, a: Any, b: Any, at_least: float) -> None:
    """Assert max |a - b| >= at_least and print it: the counterpart of `same`."""
    difference = max_difference(a, b)
    if not difference >= at_least:
        raise AssertionError(
            f"{claim}: max difference {difference:.1e} is below {at_least:.0e}"
        )
    print(f"{claim}: max difference {difference:.2f} (at least {at_least:.0e})")


def predicted() -> None:
    """Say, as the first line of a cell, that what follows answers "Predict first".

    JupyterLab shows the first line of a folded output. Without this one it would be the
    answer.
    """
    print(PREDICTED)


def shapes(**arrays: Any) -> None:
    """Print the shape of each array, one per line; None is allowed."""
    width = max(map(len, arrays))
    for name, array in arrays.items():
        print(f"{name:<{width}}  {tuple(to_numpy(array).shape)}")


def numerical_gradient(
    loss: Callable[[], float], array: np.ndarray, step: float = 1e-5
) -> np.ndarray:
    r"""Central differences $\frac{L(w + s) - L(w - s)}{2 s}$ for every entry of array.

    `loss` takes no arguments and reads `array` where it stands; each entry is moved and
    put back. In float64 with step 1e-5 about ten digits are right: the formula's own
    error is of order s², the rounding error of order 1e-16 / s.
    """
    if array.dtype != np.float64:
        raise ValueError(
            f"numerical_gradient needs float64, got {array.dtype}: in float32 the "
            "rounding error of the two losses would swamp their difference"
        )
    gradient = np.zeros_like(array)
    for index in np.ndindex(array.shape):
        kept = array[index]
        array[index] = kept + step
        above = loss()
        array[index] = kept - step
        below = loss()
        array[index] = kept
        gradient[index] = (above - below) / (2 * step)
    return gradient


def same_gradients(
    claim: str, got: Mapping[str, np.ndarray], expected: Mapping, bound: float = 1e-10
) -> None:
    """`same` for a dictionary of gradients, with one line for the worst of them."""
    if set(got) != set(expected):
        raise ValueError(f"gradients for {sorted(got)} but expected {sorted(expected)}")
    difference = {name: max_difference(got[name], expected[name]) for name in got}
    # `max` would pass over a nan
    worst = max(got, key=lambda name: np.nan_to_num(difference[name], nan=np.inf))
    same(f"{claim} ({', '.join(got)})", got[worst], expected[worst], bound)
