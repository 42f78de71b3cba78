r"""The gated recurrent unit, forward and backward by hand, in all its conventions.

$$z_t, r_t = \sigma(a^z_t), \sigma(a^r_t) \qquad
\tilde h_t = \tanh(W^h_x x_t + W^h_h (r_t \odot h_{t-1}) + b^h)$$
$$h_t = (1 - z_t) \odot h_{t-1} + z_t \odot \tilde h_t$$

That is the convention of the course. Papers and frameworks differ in two ways:
- `flipped=True`: $h_t = z_t \odot h_{t-1} + (1 - z_t) \odot \tilde h_t$. The same
  family of functions; z has the opposite meaning.
- `reset_after=True`: $\tilde h_t = \tanh(W^h_x x_t + b^h + r_t \odot (W^h_h h_{t-1} +
  b_{inner}))$. A different function: the gate closes after the product.
`torch.nn.GRU` does both. Lecture 05 settles which paper uses what.
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


@dataclass(frozen=True)
class GRUWeights(GatedWeights):
    """W_x (3 d_h, d_x), W_h (3 d_h, d_h), b_h (3 d_h,); b_inner (d_h,) or None.

    b_inner stands inside the product with r, so it exists with `reset_after` only;
    there it cannot be merged with b_h, which r does not touch.
    """

    b_inner: Float[ndarray, " d_h"] | None = None

    names: ClassVar[tuple[str, ...]] = ("h_tilde", "z", "r")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.b_inner is not None:
            why = "one bias per unit of the candidate"
            check_shape("b_inner", self.b_inner, "d_h", why, d_h=self.d_h)
            check_dtype("b_inner", self.b_inner, self.W_h.dtype)


@dataclass(frozen=True)
class GRUCache(GatedCache):
    inner: Float[ndarray, "T B d_h"]  # r * h_{t-1}, or W_h h_{t-1} + b_inner
    flipped: bool
    reset_after: bool

    names: ClassVar[tuple[str, ...]] = GRUWeights.names


def gru_forward(
    weights: GRUWeights,
    x: Float[ndarray, "B T d_x"],
    h_0: Float[ndarray, "B d_h"] | None = None,
    *,
    flipped: bool = False,
    reset_after: bool = False,
) -> tuple[Float[ndarray, "B T d_h"], GRUCache]:
    """Run over the T steps; h_0 is 0 if not given."""
    check_input(weights, x, reset_after)
    (B, T, _), d_h = x.shape, weights.d_h
    x = time_first(x)
    h = np.empty((T + 1, B, d_h), x.dtype)
    h[0] = initial_state("h_0", h_0, B, d_h, x.dtype)
    inner = np.empty_like(h[1:])

    gates = over_all_steps(x, weights.W_x) + weights.b_h
    h_tilde, z, r = blocks(gates, 3)  # views (T, B, d_h)
    W_candidate_T = np.ascontiguousarray(weights.W_h[:d_h].T)
    W_gates_T = np.ascontiguousarray(weights.W_h[d_h:].T)
    b_inner = 0 if weights.b_inner is None else weights.b_inner
    with np.errstate(over="ignore"):  # see sigmoid
        for t in range(T):
            # z, r = sigma(W_x x_t + W_h h_{t-1} + b_h)   (the array h is one ahead)
            gates[t, :, d_h:] = sigmoid(gates[t, :, d_h:] + h[t] @ W_gates_T)
            if reset_after:
                # a^h = W_x x_t + b_h + r * (W_h h_{t-1} + b_inner)
                inner[t] = h[t] @ W_candidate_T + b_inner
                a_h = h_tilde[t] + r[t] * inner[t]
            else:
                # a^h = W_x x_t + b_h + W_h (r * h_{t-1})
                inner[t] = r[t] * h[t]
                a_h = h_tilde[t] + inner[t] @ W_candidate_T
            h_tilde[t] = np.tanh(a_h)
            # h_t = (1 - z) * h_{t-1} + z * h_tilde; flipped: z and 1 - z swapped
            keep = z[t] if flipped else 1 - z[t]
            h[t + 1] = keep * h[t] + (1 - keep) * h_tilde[t]
    return batch_first(h[1:]), GRUCache(x, gates, h, inner, flipped, reset_after)


def gru_backward(
    weights: GRUWeights, cache: GRUCache, dh: Float[ndarray, "B T d_h"]
) -> tuple[GRUWeights, Float[ndarray, "B T d_x"], Float[ndarray, "B d_h"]]:
    r"""Gradients of the weights, of x and of h_0.

    $h_{t-1}$ reaches $h_t$ along four paths: kept by z, through the candidate, and
    through each of the two gates.
    """
    T, B, d_h = cache.inner.shape
    check_shape("dh", dh, "B T d_h", "one gradient per h", B=B, T=T, d_h=d_h)
    check_dtype("dh", dh, weights.W_h.dtype)
    W_candidate, W_gates = weights.W_h[:d_h], weights.W_h[d_h:]
    h_tilde, z, r = blocks(cache.gates, 3)
    da = np.empty_like(cache.gates)
    da_h, da_z, da_r = blocks(da, 3)
    dh_from_later = np.zeros_like(cache.h[0])
    for t in reversed(range(T)):
        dh_t = dh[:, t] + dh_from_later
        h_before, keep = cache.h[t], z[t] if cache.flipped else 1 - z[t]
        # h_t = keep * h_{t-1} + (1 - keep) * h_tilde
        da_h[t] = dh_t * (1 - keep) * (1 - h_tilde[t] ** 2)
        dkeep = dh_t * (h_before - h_tilde[t])
        dz = dkeep if cache.flipped else -dkeep
        if cache.reset_after:
            # a^h = ... + r * (W_h h_{t-1} + b_inner)
            dr = da_h[t] * cache.inner[t]
            dh_candidate = (da_h[t] * r[t]) @ W_candidate
        else:
            # a^h = ... + W_h (r * h_{t-1})
            d_inner = da_h[t] @ W_candidate
            dr = d_inner * h_before
            dh_candidate = d_inner * r[t]
        # sigma' = sigma (1 - sigma)
        da_z[t] = dz * z[t] * (1 - z[t])
        da_r[t] = dr * r[t] * (1 - r[t])
        # the four paths to h_{t-1}; z and r share one product
        dh_from_later = dh_t * keep + dh_candidate + da[t, :, d_h:] @ W_gates

    dx = over_all_steps(da, weights.W_x.T)
    return weight_gradients(weights, cache, da), batch_first(dx), dh_from_later


def weight_gradients(
    weights: GRUWeights, cache: GRUCache, da: Float[ndarray, "T B three_d_h"]
) -> GRUWeights:
    """Sums over all steps; the candidate's W_h meets r, so it needs its own pair."""
    d_h, h_before = weights.d_h, cache.h[:-1]
    _, _, r = blocks(cache.gates, 3)
    if cache.reset_after:
        d_product, seen = da[..., :d_h] * r, h_before
    else:
        d_product, seen = da[..., :d_h], cache.inner
    dW_h = np.concatenate(
        [sum_outer(d_product, seen), sum_outer(da[..., d_h:], h_before)]
    )
    db_inner = None if weights.b_inner is None else d_product.sum((0, 1))
    return GRUWeights(sum_outer(da, cache.x), dW_h, da.sum((0, 1)), db_inner)


def check_input(weights: GRUWeights, x: ndarray, reset_after: bool) -> None:
    check_shape("x", x, "B T d_x", "batch, time, dim", d_x=weights.d_x)
    check_dtype("x", x, weights.W_h.dtype)
    if weights.b_inner is not None and not reset_after:
        raise ValueError(
            f"b_inner of shape {weights.b_inner.shape} given with reset_after=False: "
            "that bias stands inside r * (W_h h + b_inner), which only exists then"
        )
