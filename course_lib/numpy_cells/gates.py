r"""Weights of gated cells: the matrices of all gates stacked into one.

A gate is one more small network, $\sigma(W_x x_t + W_h h_{t-1} + b_h)$. Instead of one
pair of matrices per gate, the cells keep a single tall pair and cut the result: one
product with (4 d_h, d_h) per step instead of four with (d_h, d_h).

Rule of the course for the order of the blocks: the candidate first, the gates after
it. The sigmoids then form one slice. (The orders of torch stand in torch_weights.)
"""

from dataclasses import dataclass, replace
from typing import ClassVar, TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from course_lib.numpy_cells.arrays import (
    batch_first,
    check_dtype,
    uniform,
)
from course_lib.shapes import check_shape

# the class itself: typing.Self cannot be checked where functions are wrapped one by one
Own = TypeVar("Own", bound="GatedWeights")


def blocks(stacked: Float[ndarray, "... n_d_h"], n: int) -> Float[ndarray, "n ... d_h"]:
    """Cut the last axis into n blocks; a view, so writing to a block writes through."""
    *batch, n_d_h = stacked.shape
    return np.moveaxis(stacked.reshape(*batch, n, n_d_h // n), -2, 0)


@dataclass(frozen=True)
class GatedWeights:
    """Stacked parameters of a gated cell, or their gradients (same shapes)."""

    W_x: Float[ndarray, "n_d_h d_x"]
    W_h: Float[ndarray, "n_d_h d_h"]
    b_h: Float[ndarray, " n_d_h"]

    names: ClassVar[tuple[str, ...]]  # the blocks, from the top row down

    def __post_init__(self) -> None:
        rows = len(self.names) * self.d_h
        why = f"blocks of d_h={self.d_h} rows for {', '.join(self.names)}"
        check_shape("W_h", self.W_h, "n*d_h d_h", why, **{"n*d_h": rows})
        check_shape("W_x", self.W_x, "n*d_h d_x", why, **{"n*d_h": rows})
        check_shape("b_h", self.b_h, "n*d_h", why, **{"n*d_h": rows})
        for name in ("W_x", "b_h"):
            check_dtype(name, getattr(self, name), self.W_h.dtype)

    @property
    def d_x(self) -> int:
        return self.W_x.shape[1]

    @property
    def d_h(self) -> int:
        return self.W_h.shape[-1]

    @classmethod
    def init(
        cls: type[Own],
        rng: np.random.Generator,
        d_x: int,
        d_h: int,
        dtype: type = np.float64,
    ) -> Own:
        r"""Draw all parameters uniformly in $\pm 1/\sqrt{d_h}$, as torch does."""
        rows = len(cls.names) * d_h
        shapes = (rows, d_x), (rows, d_h), (rows,)
        return cls(*(uniform(rng, shape, d_h, dtype) for shape in shapes))

    def rows(self, name: str) -> slice:
        """Where the block `name` stands: `weights.W_h[weights.rows("f")]` is W_h^f."""
        if name not in self.names:
            raise ValueError(f"no block {name!r}: this cell has {self.names}")
        start = self.names.index(name) * self.d_h
        return slice(start, start + self.d_h)

    def with_bias(self: Own, name: str, value: float | int) -> Own:
        """The same weights with the bias of one block set, as in `with_bias("f", 1)`.

        A forget gate that starts open keeps the cell state: lecture 04 measures it.
        """
        b_h = self.b_h.copy()
        b_h[self.rows(name)] = value
        return replace(self, b_h=b_h)


@dataclass(frozen=True)
class GatedCache:
    """What the backward pass needs from the forward pass, time first."""

    x: Float[ndarray, "T B d_x"]
    gates: Float[ndarray, "T B n_d_h"]  # after the sigmoids and the tanh
    h: Float[ndarray, "steps B d_h"]  # T + 1 states: h[0] is h_0, h[t] follows x_t

    names: ClassVar[tuple[str, ...]]

    def gate(self, name: str) -> Float[ndarray, "B T d_h"]:
        """The values of one block over time, to plot: `cache.gate("f")`."""
        if name not in self.names:
            raise ValueError(f"no block {name!r}: this cell has {self.names}")
        index = self.names.index(name)
        return batch_first(blocks(self.gates, len(self.names))[index])
