r"""The peephole LSTM: the gates also look at the cell state, unit by unit.

$$f_t = \sigma(a^f_t + p_f \odot c_{t-1}) \qquad i_t = \sigma(a^i_t + p_i \odot c_{t-1})
\qquad o_t = \sigma(a^o_t + p_o \odot c_t)$$

The peepholes are diagonal: vectors, 3 d_h parameters, not matrices. f and i see the old
cell state; o, which decides what to show, sees the new one. Lecture 05.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from course_lib.numpy_cells.arrays import (
    batch_first,
    check_dtype,
    over_all_steps,
    sigmoid,
    sum_outer,
    uniform,
)
from course_lib.numpy_cells.gates import GatedWeights, blocks
from course_lib.numpy_cells.lstm import (
    LSTMCache,
    LSTMWeights,
    State,
    begin,
    begin_backward,
)
from course_lib.shapes import check_shape


@dataclass(frozen=True)
class PeepholeWeights(GatedWeights):
    """As LSTMWeights, and one peephole per unit and gate."""

    p_f: Float[ndarray, " d_h"]
    p_i: Float[ndarray, " d_h"]
    p_o: Float[ndarray, " d_h"]

    names: ClassVar[tuple[str, ...]] = LSTMWeights.names

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("p_f", "p_i", "p_o"):
            peephole, why = getattr(self, name), "one peephole per unit, no matrix"
            check_shape(name, peephole, "d_h", why, d_h=self.d_h)
            check_dtype(name, peephole, self.W_h.dtype)

    @classmethod
    def init(
        cls, rng: np.random.Generator, d_x: int, d_h: int, dtype: type = np.float64
    ) -> "PeepholeWeights":
        base = LSTMWeights.init(rng, d_x, d_h, dtype)
        peepholes = (uniform(rng, (d_h,), d_h, dtype) for _ in range(3))
        return cls(base.W_x, base.W_h, base.b_h, *peepholes)


def peephole_forward(
    weights: PeepholeWeights,
    x: Float[ndarray, "B T d_x"],
    h_0: Float[ndarray, "B d_h"] | None = None,
    c_0: Float[ndarray, "B d_h"] | None = None,
) -> tuple[Float[ndarray, "B T d_h"], State, LSTMCache]:
    """As `lstm_forward`: all h, the last (h_T, c_T), and the cache."""
    x, h, c = begin(weights, x, h_0, c_0)
    T, tanh_c = len(x), np.empty_like(h[1:])
    gates = over_all_steps(x, weights.W_x) + weights.b_h
    c_tilde, f, i, o = blocks(gates, 4)  # views (T, B, d_h)
    W_h_T = np.ascontiguousarray(weights.W_h.T)
    with np.errstate(over="ignore"):  # see sigmoid
        for t in range(T):
            # a_t = W_x x_t + b_h + W_h h_{t-1}
            gates[t] += h[t] @ W_h_T
            # c_tilde = tanh(a^c), f = sigma(a^f + p_f c_{t-1}), i likewise
            c_tilde[t] = np.tanh(c_tilde[t])
            f[t] = sigmoid(f[t] + weights.p_f * c[t])
            i[t] = sigmoid(i[t] + weights.p_i * c[t])
            # c_t = f_t * c_{t-1} + i_t * c_tilde_t
            c[t + 1] = f[t] * c[t] + i[t] * c_tilde[t]
            # o = sigma(a^o + p_o c_t): the new cell state
            o[t] = sigmoid(o[t] + weights.p_o * c[t + 1])
            # h_t = o_t * tanh(c_t)
            tanh_c[t] = np.tanh(c[t + 1])
            h[t + 1] = o[t] * tanh_c[t]
    last = h[T].copy(), c[T].copy()
    return batch_first(h[1:]), last, LSTMCache(x, gates, h, c, tanh_c)


def peephole_backward(
    weights: PeepholeWeights,
    cache: LSTMCache,
    dh: Float[ndarray, "B T d_h"],
    dc_T: Float[ndarray, "B d_h"] | None = None,
) -> tuple[PeepholeWeights, Float[ndarray, "B T d_x"], State]:
    r"""As `lstm_backward`, with three more paths into the cell state: $p_o$ leads from
    $o_t$ back to $c_t$; $p_f$ and $p_i$ lead from f and i back to $c_{t-1}$.
    """
    dc = begin_backward(weights, cache, dh, dc_T)
    c_tilde, f, i, o = blocks(cache.gates, 4)
    da = np.empty_like(cache.gates)
    da_c, da_f, da_i, da_o = blocks(da, 4)
    dh_from_later = np.zeros_like(dc)
    for t in reversed(range(dh.shape[1])):
        dh_t = dh[:, t] + dh_from_later
        c_before, tanh_c = cache.c[t], cache.tanh_c[t]
        # da^o = dh tanh(c) o (1 - o)
        da_o[t] = dh_t * tanh_c * o[t] * (1 - o[t])
        # dc_t = (from step t+1) + dh_t * o_t * (1 - tanh^2 c_t) + p_o * da^o
        dc = dc + dh_t * o[t] * (1 - tanh_c**2) + weights.p_o * da_o[t]
        # da^c, da^f, da^i as in the LSTM
        da_c[t] = dc * i[t] * (1 - c_tilde[t] ** 2)
        da_f[t] = dc * c_before * f[t] * (1 - f[t])
        da_i[t] = dc * c_tilde[t] * i[t] * (1 - i[t])
        # dh_{t-1} = W_h^T da_t,  dc_{t-1} = f_t * dc_t + p_f * da^f + p_i * da^i
        dh_from_later = da[t] @ weights.W_h
        dc = dc * f[t] + weights.p_f * da_f[t] + weights.p_i * da_i[t]

    c_before, c = cache.c[:-1], cache.c[1:]
    grads = PeepholeWeights(
        W_x=sum_outer(da, cache.x),
        W_h=sum_outer(da, cache.h[:-1]),
        b_h=da.sum((0, 1)),
        # dp_f = sum_t da^f_t * c_{t-1},  dp_i alike,  dp_o = sum_t da^o_t * c_t
        p_f=(da_f * c_before).sum((0, 1)),
        p_i=(da_i * c_before).sum((0, 1)),
        p_o=(da_o * c).sum((0, 1)),
    )
    dx = over_all_steps(da, weights.W_x.T)
    return grads, batch_first(dx), (dh_from_later, dc)
