"""What the hand-written cells share: the sigmoid, the time axis, the first state.

Outside, arrays are batch first, (B, T, d), as everywhere in the course. Inside a
loop over time the cells keep time first, (T, B, d), so that the slice of one step
is one block of memory, which is what a matrix product likes to read.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from course_lib.shapes import check_shape


def sigmoid(a: Float[ndarray, "..."]) -> Float[ndarray, "..."]:
    r"""$\sigma(a) = 1 / (1 + e^{-a})$, in the dtype of a.

    For a very negative a the exponential overflows to infinity and the quotient is
    0, which is the right limit: callers silence that one warning with
    `np.errstate(over="ignore")`, once around their loop.
    """
    return 1 / (1 + np.exp(-a))


def time_first(x: Float[ndarray, "B T d"]) -> Float[ndarray, "T B d"]:
    """Copy (B, T, d) into one block ordered (T, B, d).

    Always a copy: a cache must stay right when the caller later changes x in place.
    """
    return np.array(x.swapaxes(0, 1), order="C")


def batch_first(x: Float[ndarray, "T B d"]) -> Float[ndarray, "B T d"]:
    """Copy (T, B, d) back into (B, T, d)."""
    return np.array(x.swapaxes(0, 1), order="C")


def over_all_steps(
    x: Float[ndarray, "T B d_in"], W: Float[ndarray, "d_out d_in"]
) -> Float[ndarray, "T B d_out"]:
    r"""$W x_t$ for every step and every row of the batch, in one matrix product."""
    T, B, d_in = x.shape
    return (x.reshape(T * B, d_in) @ W.T).reshape(T, B, W.shape[0])


def sum_outer(
    da: Float[ndarray, "T B d_out"], x: Float[ndarray, "T B d_in"]
) -> Float[ndarray, "d_out d_in"]:
    r"""$\sum_{t, b} \delta a_t x_t^\top$: the gradient of W where $a_t = W x_t$.

    The same W serves every step, so its gradient is a sum over steps; stacking the
    steps turns that sum into one matrix product.
    """
    return da.reshape(-1, da.shape[-1]).T @ x.reshape(-1, x.shape[-1])


def check_dtype(name: str, array: ndarray, dtype: np.dtype) -> None:
    """Raise a ValueError unless `array` has the dtype of the weights."""
    if array.dtype != dtype:
        raise ValueError(
            f"{name} is {array.dtype} but the weights are {dtype}: mixing them would "
            f"silently change the precision; use {name}.astype({dtype.name!r})"
        )


def initial_state(
    name: str, state: ndarray | None, B: int, d_h: int, dtype: np.dtype
) -> Float[ndarray, "B d_h"]:
    """A copy of the state before the first step: zeros unless one is given."""
    if state is None:
        return np.zeros((B, d_h), dtype)
    check_shape(name, state, "B d_h", "one vector per sequence", B=B, d_h=d_h)
    check_dtype(name, state, dtype)
    return state.copy()


def uniform(
    rng: np.random.Generator, shape: tuple[int, ...], d_h: int, dtype: type
) -> Float[ndarray, "..."]:
    r"""Entries uniform in $\pm 1/\sqrt{d_h}$, the range `torch.nn.RNN` draws from."""
    bound = 1 / np.sqrt(d_h)
    return rng.uniform(-bound, bound, shape).astype(dtype)
