r"""The recurrent network, forward and backward by hand.

$$h_t = \phi(W_x x_t + W_h h_{t-1} + b_h), \qquad \phi = \tanh \text{ or relu}$$

Shapes: x (B, T, d_x), h (B, T, d_h). With B rows per batch, the column formula
$W x$ becomes `x @ W.T`, one row per sequence. Lecture 02 derives the backward pass.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from course_lib.numpy_cells.arrays import (
    batch_first,
    check_dtype,
    initial_state,
    over_all_steps,
    sum_outer,
    time_first,
    uniform,
)
from course_lib.shapes import check_shape


@dataclass(frozen=True)
class RNNWeights:
    """The three parameters, or their three gradients: the shapes are the same."""

    W_x: Float[ndarray, "d_h d_x"]
    W_h: Float[ndarray, "d_h d_h"]
    b_h: Float[ndarray, " d_h"]

    def __post_init__(self) -> None:
        check_shape("W_h", self.W_h, "d_h d_h", "it maps h_{t-1} to h_t", d_h=self.d_h)
        check_shape("W_x", self.W_x, "d_h d_x", "it maps x_t to h_t", d_h=self.d_h)
        check_shape("b_h", self.b_h, "d_h", "one bias per unit", d_h=self.d_h)
        check_dtype("W_x", self.W_x, self.W_h.dtype)
        check_dtype("b_h", self.b_h, self.W_h.dtype)

    @property
    def d_x(self) -> int:
        return self.W_x.shape[1]

    @property
    def d_h(self) -> int:
        return self.W_h.shape[-1]

    @classmethod
    def init(
        cls, rng: np.random.Generator, d_x: int, d_h: int, dtype: type = np.float64
    ) -> "RNNWeights":
        """Draw all parameters uniformly, as torch does."""
        shapes = (d_h, d_x), (d_h, d_h), (d_h,)
        return cls(*(uniform(rng, shape, d_h, dtype) for shape in shapes))


@dataclass(frozen=True)
class RNNCache:
    """What the backward pass needs from the forward pass, time first."""

    x: Float[ndarray, "T B d_x"]
    h: Float[ndarray, "steps B d_h"]  # T + 1 states: h[0] is h_0, h[t] follows x_t
    activation: str


def rnn_forward(
    weights: RNNWeights,
    x: Float[ndarray, "B T d_x"],
    h_0: Float[ndarray, "B d_h"] | None = None,
    activation: str = "tanh",
) -> tuple[Float[ndarray, "B T d_h"], RNNCache]:
    """Run over the T steps; `activation` is "tanh" or "relu". h_0 is 0 if not given."""
    check_shape("x", x, "B T d_x", "batch, time, dim", d_x=weights.d_x)
    check_dtype("x", x, weights.W_h.dtype)
    if activation not in ("tanh", "relu"):
        raise ValueError(f"activation is {activation!r}, expected 'tanh' or 'relu'")
    B, T, _ = x.shape
    x = time_first(x)
    h = np.empty((T + 1, B, weights.d_h), x.dtype)
    h[0] = initial_state("h_0", h_0, B, weights.d_h, x.dtype)

    # the part of a_t that needs no earlier state: W_x x_t + b_h, all steps at once
    a_x = over_all_steps(x, weights.W_x) + weights.b_h
    W_h_T = np.ascontiguousarray(weights.W_h.T)  # read T times, so worth one copy
    for t in range(T):
        # a_t = W_x x_t + b_h + W_h h_{t-1}        (the array h is one step ahead)
        a = a_x[t] + h[t] @ W_h_T
        # h_t = phi(a_t)
        h[t + 1] = np.tanh(a) if activation == "tanh" else np.maximum(a, 0)
    return batch_first(h[1:]), RNNCache(x, h, activation)


def rnn_backward(
    weights: RNNWeights, cache: RNNCache, dh: Float[ndarray, "B T d_h"]
) -> tuple[RNNWeights, Float[ndarray, "B T d_x"], Float[ndarray, "B d_h"]]:
    r"""Back-propagation through time: gradients of the weights, of x and of h_0.

    `dh[:, t]` is $\partial L / \partial h_t$ along the outputs of step t alone; what
    later steps contribute is added here. Going back, $\delta a_t$ collects both:
    $$\delta a_t = (\mathrm{d}h_t + W_h^\top \delta a_{t+1}) \odot \phi'(a_t)$$
    """
    T, B, _ = cache.x.shape
    check_shape("dh", dh, "B T d_h", "one gradient per h", B=B, T=T, d_h=weights.d_h)
    check_dtype("dh", dh, weights.W_h.dtype)
    h_before, h = cache.h[:-1], cache.h[1:]

    # phi' written with the output: tanh' = 1 - h^2; relu' = 1 where h > 0
    slope = 1 - h * h if cache.activation == "tanh" else (h > 0).astype(h.dtype)
    da = np.empty_like(h)
    dh_from_later = np.zeros_like(cache.h[0])
    for t in reversed(range(T)):
        # da_t = (dh_t + W_h^T da_{t+1}) * phi'(a_t)
        da[t] = (dh[:, t] + dh_from_later) * slope[t]
        dh_from_later = da[t] @ weights.W_h

    # dW_h = sum_t da_t h_{t-1}^T,  dW_x = sum_t da_t x_t^T,  db_h = sum_t da_t
    grads = RNNWeights(
        W_x=sum_outer(da, cache.x),
        W_h=sum_outer(da, h_before),
        b_h=da.sum((0, 1)),
    )
    # dx_t = W_x^T da_t
    dx = over_all_steps(da, weights.W_x.T)
    return grads, batch_first(dx), dh_from_later
