"""How a claim is settled: the printed form and the corrected one, against a truth.

    decide("dh_2/dh_1 against autograd", truth, printed, holds)
        -> "dh_2/dh_1 against autograd: as printed off by about 0.4 (at least
            0.01), corrected within 1e-12"

The truth comes from outside, from autograd, from torch.nn, from counting or listing
everything; `printed` and `holds` are what the two formulas say about the same thing. An
AssertionError is raised if the corrected form fails, and also if the printed one does
not: a ledger that accuses wrongly would be worse than none.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from course_lib.check import to_numpy
from course_lib.measured import SIGN

Module = TypeVar("Module", bound=nn.Module)

ERROR = ("as printed", "corrected")
CONVENTION = ("taken as it stands", "translated")


def decide(
    what: str,
    truth: Any,
    printed: Any,
    holds: Any,
    *,
    bound: float = 1e-12,
    at_least: float = 1e-2,
    names: tuple[str, str] = ERROR,
) -> str:
    """Assert |holds - truth| <= bound and |printed - truth| >= at_least; say both.

    A form of the wrong shape, or one that cannot be computed (see `attempt`), is as
    far off as can be. Truths of True and False are compared case by case.
    """
    right = confirm(names[1], truth, holds, bound=bound)
    far = gap(printed, truth)
    if far < at_least:
        raise AssertionError(f"{what}, {names[0]}: only {far:.2g} off, so not wrong")
    what = what if what.endswith("?") else f"{what}:"
    return f"{what} {names[0]} {told(printed, truth, at_least)}, {right}"


def confirm(what: str, truth: Any, holds: Any, *, bound: float = 1e-12) -> str:
    """The corrected half alone, where the printed sentence predicts no number."""
    near = gap(holds, truth)
    if not near <= bound:  # also catches nan
        raise AssertionError(f"{what}: {near:.2g} from the truth, bound {bound:g}")
    return f"{what} exact" if bound == 0 else f"{what} within {bound:g}"


def attempt(compute: Callable) -> Any:
    """What `compute()` returns, or the error if it cannot be computed at all."""
    try:
        return compute()
    except (ValueError, RuntimeError, IndexError, AssertionError) as error:
        return error


def gap(value: Any, truth: Any) -> float:
    """Largest absolute difference; infinite for an error, another shape, or nan."""
    if isinstance(value, Exception):
        return np.inf
    value, truth = to_numpy(value), to_numpy(truth)
    if value.shape != truth.shape:
        return np.inf
    if truth.dtype == bool:
        value, truth = value.astype(int), truth.astype(int)
    distance = np.max(np.abs(value - truth), initial=0.0)
    return np.inf if np.isnan(distance) else float(distance)


def told(value: Any, truth: Any, at_least: float) -> str:
    """How a wrong value is wrong, in a few words; a number beside its bound."""
    if isinstance(value, Exception):
        return f"cannot be computed ({str(value).split(';')[0].strip().rstrip('.')})"
    value, truth = to_numpy(value), to_numpy(truth)
    if value.shape != truth.shape:
        return f"of shape {value.shape} instead of {truth.shape}"
    if truth.dtype == bool:
        return f"wrong in {np.sum(value != truth)} of {truth.size} cases"
    if np.isnan(value).any():
        return "nan"
    off = gap(value, truth)
    size = f"{off:.0f}" if off >= 100 else f"{off:.2g}"
    return f"off by {SIGN} {size} (at least {at_least:g})"


def numbers(seed: int, *shape: int) -> torch.Tensor:
    """Standard normal numbers in float64, always the same for the same seed."""
    return torch.tensor(np.random.default_rng(seed).standard_normal(shape))


def fresh(make: Callable[[], Module], seed: int = 0) -> Module:
    """A torch module in float64 with reproducible weights; draws are not disturbed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make().double().eval()


def jacobian(function: Callable, at: torch.Tensor) -> Any:
    """Autograd's Jacobian, the outside truth for every derivative in the ledger."""
    return torch.autograd.functional.jacobian(function, at)


def sees(function: Callable, x: torch.Tensor) -> np.ndarray:
    """(N, T) of True where output row n depends on input row t; x (T, d)."""
    J = jacobian(lambda rows: function(rows).sum(dim=-1), x)  # (N, T, d)
    return (J.abs().sum(dim=-1) > 0).numpy()
