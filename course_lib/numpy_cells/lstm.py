r"""The long short-term memory, forward and backward by hand.

$$\tilde c_t = \tanh(a^c_t) \qquad f_t, i_t, o_t = \sigma(a^f_t), \sigma(a^i_t),
\sigma(a^o_t) \qquad a_t = W_x x_t + W_h h_{t-1} + b_h$$
$$c_t = f_t \odot c_{t-1} + i_t \odot \tilde c_t \qquad h_t = o_t \odot \tanh(c_t)$$

Shapes: x (B, T, d_x), h and c (B, T, d_h); weights stacked as c_tilde, f, i, o.
Lecture 04 derives the backward pass. Note that $h_t$ lies in (-1, 1) but $c_t$ does
not: it can grow by almost 1 with every step.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from course_lib.numpy_cells.arrays import (
    batch_first,
    check_dtype,
    initial_state,
    over_all_steps,
    sigmoid,
    sum_outer,
    time_first,
)
from course_lib.numpy_cells.gates import GatedCache, GatedWeights, blocks
from course_lib.shapes import check_shape

State = tuple[Float[ndarray, "B d_h"], Float[ndarray, "B d_h"]]


@dataclass(frozen=True)
class LSTMWeights(GatedWeights):
    """W_x (4 d_h, d_x), W_h (4 d_h, d_h), b_h (4 d_h,)."""

    names: ClassVar[tuple[str, ...]] = ("c_tilde", "f", "i", "o")


@dataclass(frozen=True)
class LSTMCache(GatedCache):
    c: Float[ndarray, "steps B d_h"]  # T + 1 states, as h
    tanh_c: Float[ndarray, "T B d_h"]

    names: ClassVar[tuple[str, ...]] = LSTMWeights.names

    def cell(self) -> Float[ndarray, "B T d_h"]:
        """c_1 ... c_T, to plot."""
        return batch_first(self.c[1:])


def lstm_forward(
    weights: LSTMWeights,
    x: Float[ndarray, "B T d_x"],
    h_0: Float[ndarray, "B d_h"] | None = None,
    c_0: Float[ndarray, "B d_h"] | None = None,
) -> tuple[Float[ndarray, "B T d_h"], State, LSTMCache]:
    """Run over the T steps: all h, the last (h_T, c_T), and the cache."""
    x, h, c = begin(weights, x, h_0, c_0)
    (T, _, _), d_h, tanh_c = x.shape, weights.d_h, np.empty_like(h[1:])

    # W_x x_t + b_h for all steps at once. The loop turns each row into a_t and then
    # into the gates, in place: one array instead of three.
    gates = over_all_steps(x, weights.W_x)
    gates += weights.b_h
    c_tilde, f, i, o = blocks(gates, 4)  # views (T, B, d_h)
    W_h_T = np.ascontiguousarray(weights.W_h.T)  # read T times, so worth one copy
    with np.errstate(over="ignore"):  # see sigmoid
        for t in range(T):
            # a_t = W_x x_t + b_h + W_h h_{t-1}    (the array h is one step ahead)
            a = gates[t]
            a += h[t] @ W_h_T
            # c_tilde = tanh(a^c),  f = sigma(a^f),  i = sigma(a^i),  o = sigma(a^o)
            a[:, :d_h] = np.tanh(a[:, :d_h])
            a[:, d_h:] = sigmoid(a[:, d_h:])
            # c_t = f_t * c_{t-1} + i_t * c_tilde_t
            c[t + 1] = f[t] * c[t] + i[t] * c_tilde[t]
            # h_t = o_t * tanh(c_t)
            tanh_c[t] = np.tanh(c[t + 1])
            h[t + 1] = o[t] * tanh_c[t]
    last = h[T].copy(), c[T].copy()
    return batch_first(h[1:]), last, LSTMCache(x, gates, h, c, tanh_c)


def lstm_backward(
    weights: LSTMWeights,
    cache: LSTMCache,
    dh: Float[ndarray, "B T d_h"],
    dc_T: Float[ndarray, "B d_h"] | None = None,
) -> tuple[LSTMWeights, Float[ndarray, "B T d_x"], State]:
    r"""Gradients of the weights, of x, and of (h_0, c_0).

    `dh[:, t]` is the gradient that reaches $h_t$ from the outputs of step t (add that
    of the last state h_T to `dh[:, -1]`); `dc_T` the one that reaches $c_T$. Backwards
    through one step, with $\delta c$ arriving from step t+1:
    $$\delta c \mathrel{+}= \delta h \odot o \odot (1 - \tanh^2 c_t)$$
    $$\delta a^c = \delta c \odot i \odot (1 - \tilde c^2) \qquad
      \delta a^f = \delta c \odot c_{t-1} \odot f (1 - f)$$
    $$\delta a^i = \delta c \odot \tilde c \odot i (1 - i) \qquad
      \delta a^o = \delta h \odot \tanh c_t \odot o (1 - o)$$
    $$\delta h_{t-1} = W_h^\top \delta a \qquad \delta c_{t-1} = \delta c \odot f$$
    """
    dc = begin_backward(weights, cache, dh, dc_T)
    T, B, d_h = cache.tanh_c.shape
    da = local_slopes(cache)  # the loop multiplies them by the incoming gradients
    da_blocks = da.reshape(T, B, 4, d_h)  # a view: c_tilde, f, i, o
    _, f, _, o = blocks(cache.gates, 4)
    dh_from_later = np.zeros_like(dc)
    for t in reversed(range(T)):
        dh_t = dh[:, t] + dh_from_later
        # dc_t = f_{t+1} * dc_{t+1} + dh_t * o_t * (1 - tanh^2 c_t)
        dc += dh_t * o[t] * (1 - cache.tanh_c[t] ** 2)
        # three paths lead through c_t, the fourth through o_t alone
        da_blocks[t, :, :3] *= dc[:, None]
        da_blocks[t, :, 3] *= dh_t
        # dh_{t-1} = W_h^T da_t
        dh_from_later = da[t] @ weights.W_h
        # dc_{t-1} = f_t * dc_t      (the direct path; the others went through h)
        dc *= f[t]

    # dW_x = sum_t da_t x_t^T,  dW_h = sum_t da_t h_{t-1}^T,  db_h = sum_t da_t
    grads = LSTMWeights(
        W_x=sum_outer(da, cache.x),
        W_h=sum_outer(da, cache.h[:-1]),
        b_h=da.sum((0, 1)),
    )
    # dx_t = W_x^T da_t
    dx = over_all_steps(da, weights.W_x.T)
    return grads, batch_first(dx), (dh_from_later, dc)


def local_slopes(cache: LSTMCache) -> Float[ndarray, "T B four_d_h"]:
    """The factors of da that no later step can change, for all steps at once."""
    c_tilde, _, i, _ = blocks(cache.gates, 4)
    slopes = cache.gates * (1 - cache.gates)  # sigma' = sigma (1 - sigma)
    k_c, k_f, k_i, k_o = blocks(slopes, 4)
    # dc_t/da^c = i (1 - c_tilde^2)        dc_t/da^f = c_{t-1} f (1 - f)
    k_c[:] = i * (1 - c_tilde**2)
    k_f *= cache.c[:-1]
    # dc_t/da^i = c_tilde i (1 - i)        dh_t/da^o = tanh(c_t) o (1 - o)
    k_i *= c_tilde
    k_o *= cache.tanh_c
    return slopes


def begin(
    weights: GatedWeights,
    x: Float[ndarray, "B T d_x"],
    h_0: Float[ndarray, "B d_h"] | None,
    c_0: Float[ndarray, "B d_h"] | None,
) -> tuple[
    Float[ndarray, "T B d_x"],
    Float[ndarray, "steps B d_h"],
    Float[ndarray, "steps B d_h"],
]:
    """Check the input; x time first, and room for the T + 1 states h and c."""
    check_shape("x", x, "B T d_x", "batch, time, dim", d_x=weights.d_x)
    check_dtype("x", x, weights.W_h.dtype)
    (B, T, _), d_h = x.shape, weights.d_h
    h = np.empty((T + 1, B, d_h), x.dtype)
    c = np.empty_like(h)
    h[0] = initial_state("h_0", h_0, B, d_h, x.dtype)
    c[0] = initial_state("c_0", c_0, B, d_h, x.dtype)
    return time_first(x), h, c


def begin_backward(
    weights: GatedWeights,
    cache: LSTMCache,
    dh: Float[ndarray, "B T d_h"],
    dc_T: Float[ndarray, "B d_h"] | None,
) -> Float[ndarray, "B d_h"]:
    """Check the incoming gradients; a copy of dc_T, zeros if it is not given."""
    T, B, d_h = cache.tanh_c.shape
    check_shape("dh", dh, "B T d_h", "one gradient per h", B=B, T=T, d_h=d_h)
    check_dtype("dh", dh, weights.W_h.dtype)
    return initial_state("dc_T", dc_T, B, d_h, weights.W_h.dtype)
