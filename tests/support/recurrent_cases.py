"""What the tests of the recurrent cells share.

First the equations once more, gate by gate, in plain torch: written straight from the
maths with one matrix per gate and no stacking, so that they share nothing with the code
they are compared with; autograd gives the gradients. Then the cells under test as one
table, with the same call for each, and random problems for them.
"""

from dataclasses import dataclass, fields

import numpy as np
import pytest
import torch

from course_lib import numpy_cells as cells
from course_lib.check import max_difference

# the blocks of each cell, in the order of the library
BLOCKS = {
    "rnn": ("h",),
    "lstm": ("c_tilde", "f", "i", "o"),
    "coupled": ("c_tilde", "f", "o"),
    "peephole": ("c_tilde", "f", "i", "o"),
    "gru": ("h_tilde", "z", "r"),
}


def gate_by_gate(cell: str, p: dict, x, h, c=None, **options):
    """All h (B, T, d_h) and the last c (None without one), step by step."""
    shown = []
    for t in range(x.shape[1]):
        a = {
            name: x[:, t] @ W_x.T + b + (0 if name == "h_tilde" else h @ W_h.T)
            for name, (W_x, W_h, b) in per_gate(cell, p).items()
        }
        h, c = step(cell, p, a, h, c, **options)
        shown.append(h)
    return torch.stack(shown, 1), c


def per_gate(cell: str, p: dict) -> dict:
    """W_x, W_h, b_h of each gate."""
    names, d_h = BLOCKS[cell], p["W_h"].shape[1]
    cut = [p[key].split(d_h) for key in ("W_x", "W_h", "b_h")]
    return dict(zip(names, zip(*cut, strict=True), strict=True))


def step(cell, p, a, h, c, activation="tanh", flipped=False, reset_after=False):
    sigma, tanh = torch.sigmoid, torch.tanh
    if cell == "rnn":
        return (tanh(a["h"]) if activation == "tanh" else torch.clamp(a["h"], min=0)), c
    if cell == "gru":
        z, r = sigma(a["z"]), sigma(a["r"])
        W = per_gate(cell, p)["h_tilde"][1]
        if reset_after:
            h_tilde = tanh(a["h_tilde"] + r * (h @ W.T + p.get("b_inner", 0)))
        else:
            h_tilde = tanh(a["h_tilde"] + (r * h) @ W.T)
        return (z * h + (1 - z) * h_tilde if flipped else (1 - z) * h + z * h_tilde), c
    peep = {k: p.get(f"p_{k}", 0) for k in "fio"}
    f = sigma(a["f"] + peep["f"] * c)
    i = 1 - f if cell == "coupled" else sigma(a["i"] + peep["i"] * c)
    c = f * c + i * tanh(a["c_tilde"])
    o = sigma(a["o"] + peep["o"] * c)
    return o * tanh(c), c


def tensor(array: np.ndarray) -> torch.Tensor:
    """A leaf that shares nothing with the array and collects a gradient."""
    return torch.tensor(array, requires_grad=True)


# (B, T, d_x, d_h): distinct primes, a single step, a single sequence, a single unit
SIZES = [(2, 5, 3, 7), (11, 1, 2, 5), (1, 3, 5, 2), (3, 2, 7, 1)]


@dataclass(frozen=True)
class Kind:
    """One cell under test, with the options that go to its forward pass."""

    cell: str
    Weights: type
    options: tuple = ()

    @property
    def has_c(self) -> bool:
        return self.cell in ("lstm", "coupled", "peephole")

    def __str__(self) -> str:
        return "-".join([self.cell, *(f"{k}={v}" for k, v in self.options)])

    def init(self, rng, d_x, d_h, dtype=np.float64):
        weights = self.Weights.init(rng, d_x, d_h, dtype)
        if ("reset_after", True) in self.options:
            b_inner = rng.normal(size=d_h).astype(dtype)
            return cells.GRUWeights(weights.W_x, weights.W_h, weights.b_h, b_inner)
        return weights

    def forward(self, weights, x, *start):
        """h, the tuple of last states beyond h, and the cache, for every cell alike."""
        run = getattr(cells, f"{self.cell}_forward")
        if self.has_c:
            h, (_, c_T), cache = run(weights, x, *start)
            return h, (c_T,), cache
        h, cache = run(weights, x, *start, **dict(self.options))
        return h, (), cache

    def backward(self, weights, cache, dh, *dc_T):
        """Gradients of the weights, of x, and the tuple of those of the start."""
        grads, dx, start = getattr(cells, f"{self.cell}_backward")(
            weights, cache, dh, *dc_T
        )
        return grads, dx, start if self.has_c else (start,)


GRU_OPTIONS = [
    (("flipped", flipped), ("reset_after", reset_after))
    for flipped in (False, True)
    for reset_after in (False, True)
]
KINDS = [
    Kind("rnn", cells.RNNWeights),
    Kind("rnn", cells.RNNWeights, (("activation", "relu"),)),
    Kind("lstm", cells.LSTMWeights),
    Kind("coupled", cells.CoupledWeights),
    Kind("peephole", cells.PeepholeWeights),
    *(Kind("gru", cells.GRUWeights, options) for options in GRU_OPTIONS),
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def arrays(weights) -> dict[str, np.ndarray]:
    named = {f.name: getattr(weights, f.name) for f in fields(weights)}
    return {name: array for name, array in named.items() if array is not None}


def problem(kind, size, dtype=np.float64, seed=0):
    """Weights, x, start states, and random gradients for h and for the last c."""
    B, T, d_x, d_h = size
    rng = np.random.default_rng(seed)
    weights = kind.init(rng, d_x, d_h, dtype)
    n_states = 2 if kind.has_c else 1
    x = rng.normal(size=(B, T, d_x)).astype(dtype)
    start = [rng.normal(size=(B, d_h)).astype(dtype) for _ in range(n_states)]
    dh = rng.normal(size=(B, T, d_h)).astype(dtype)
    dc_T = [rng.normal(size=(B, d_h)).astype(dtype)] * kind.has_c
    return weights, x, start, dh, dc_T


def assert_same(left, right, bound=1e-10):
    assert max_difference(left, right) <= bound
