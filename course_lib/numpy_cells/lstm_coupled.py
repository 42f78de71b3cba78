r"""The coupled LSTM: what is forgotten makes room for what is written, $i = 1 - f$.

$$c_t = f_t \odot c_{t-1} + (1 - f_t) \odot \tilde c_t \qquad
h_t = o_t \odot \tanh(c_t)$$

Three blocks instead of four: 3/4 of the parameters. The new cell state lies between
the old one and the candidate, so from $|c_0| \le 1$ it never leaves [-1, 1]: this
cell cannot count, the standard LSTM can. Lecture 05.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from course_lib.numpy_cells.arrays import (
    batch_first,
    over_all_steps,
    sigmoid,
    sum_outer,
)
from course_lib.numpy_cells.gates import GatedWeights, blocks
from course_lib.numpy_cells.lstm import LSTMCache, State, begin, begin_backward


@dataclass(frozen=True)
class CoupledWeights(GatedWeights):
    """W_x (3 d_h, d_x), W_h (3 d_h, d_h), b_h (3 d_h,)."""

    names: ClassVar[tuple[str, ...]] = ("c_tilde", "f", "o")


@dataclass(frozen=True)
class CoupledCache(LSTMCache):
    names: ClassVar[tuple[str, ...]] = CoupledWeights.names


def coupled_forward(
    weights: CoupledWeights,
    x: Float[ndarray, "B T d_x"],
    h_0: Float[ndarray, "B d_h"] | None = None,
    c_0: Float[ndarray, "B d_h"] | None = None,
) -> tuple[Float[ndarray, "B T d_h"], State, CoupledCache]:
    """As `lstm_forward`: all h, the last (h_T, c_T), and the cache."""
    x, h, c = begin(weights, x, h_0, c_0)
    (T, _, _), d_h, tanh_c = x.shape, weights.d_h, np.empty_like(h[1:])
    gates = over_all_steps(x, weights.W_x) + weights.b_h
    c_tilde, f, o = blocks(gates, 3)  # views (T, B, d_h)
    W_h_T = np.ascontiguousarray(weights.W_h.T)
    with np.errstate(over="ignore"):  # see sigmoid
        for t in range(T):
            # a_t = W_x x_t + b_h + W_h h_{t-1}
            a = gates[t]
            a += h[t] @ W_h_T
            # c_tilde = tanh(a^c),  f = sigma(a^f),  o = sigma(a^o)
            a[:, :d_h] = np.tanh(a[:, :d_h])
            a[:, d_h:] = sigmoid(a[:, d_h:])
            # c_t = f_t * c_{t-1} + (1 - f_t) * c_tilde_t
            c[t + 1] = f[t] * c[t] + (1 - f[t]) * c_tilde[t]
            # h_t = o_t * tanh(c_t)
            tanh_c[t] = np.tanh(c[t + 1])
            h[t + 1] = o[t] * tanh_c[t]
    last = h[T].copy(), c[T].copy()
    return batch_first(h[1:]), last, CoupledCache(x, gates, h, c, tanh_c)


def coupled_backward(
    weights: CoupledWeights,
    cache: CoupledCache,
    dh: Float[ndarray, "B T d_h"],
    dc_T: Float[ndarray, "B d_h"] | None = None,
) -> tuple[CoupledWeights, Float[ndarray, "B T d_x"], State]:
    r"""As `lstm_backward`. One gate steers both terms of $c_t$, so
    $\delta a^f = \delta c \odot (c_{t-1} - \tilde c_t) \odot f_t (1 - f_t)$.
    """
    dc = begin_backward(weights, cache, dh, dc_T)
    c_tilde, f, o = blocks(cache.gates, 3)
    da = np.empty_like(cache.gates)
    da_c, da_f, da_o = blocks(da, 3)
    dh_from_later = np.zeros_like(dc)
    for t in reversed(range(dh.shape[1])):
        dh_t = dh[:, t] + dh_from_later
        c_before, tanh_c = cache.c[t], cache.tanh_c[t]
        # dc_t = f_{t+1} * dc_{t+1} + dh_t * o_t * (1 - tanh^2 c_t)
        dc = dc + dh_t * o[t] * (1 - tanh_c**2)
        # da^c = dc (1 - f) (1 - c_tilde^2)
        da_c[t] = dc * (1 - f[t]) * (1 - c_tilde[t] ** 2)
        # da^f = dc (c_{t-1} - c_tilde) f (1 - f)
        da_f[t] = dc * (c_before - c_tilde[t]) * f[t] * (1 - f[t])
        # da^o = dh tanh(c) o (1 - o)
        da_o[t] = dh_t * tanh_c * o[t] * (1 - o[t])
        # dh_{t-1} = W_h^T da_t,  dc_{t-1} = f_t * dc_t
        dh_from_later = da[t] @ weights.W_h
        dc = dc * f[t]

    grads = CoupledWeights(
        W_x=sum_outer(da, cache.x),
        W_h=sum_outer(da, cache.h[:-1]),
        b_h=da.sum((0, 1)),
    )
    dx = over_all_steps(da, weights.W_x.T)
    return grads, batch_first(dx), (dh_from_later, dc)
