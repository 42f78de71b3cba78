"""Exercises of lecture 04b, every path of a gradient through the LSTM."""

from itertools import product
from math import comb

import numpy as np
from numpy.random import Generator

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.numpy_cells.lstm import LSTMWeights, lstm_backward, lstm_forward

Arrays = dict[str, np.ndarray]


def cell_jacobian(p: Arrays, s: Arrays, before: Arrays) -> np.ndarray:
    """diag(f) + M diag(o (1 - tanh² c)), with the three terms of M."""
    f, i, c_tilde = s["f"], s["i"], s["c_tilde"]
    M = (before["c"] * f * (1 - f))[:, None] * p["W_hf"]
    M = M + (c_tilde * i * (1 - i))[:, None] * p["W_hi"]
    M = M + (i * (1 - c_tilde**2))[:, None] * p["W_hc"]
    return np.diag(f) + M * before["o"] * (1 - np.tanh(before["c"]) ** 2)


def one_step(rng: Generator) -> tuple:
    d_h = int(rng.choice([2, 3]))
    p = {f"W_h{k}": rng.standard_normal((d_h, d_h)) for k in "fic"}
    s = {"f": rng.uniform(size=d_h), "i": rng.uniform(size=d_h)}
    s["c_tilde"] = np.tanh(rng.standard_normal(d_h))
    return p, s, {"o": rng.uniform(size=d_h), "c": rng.standard_normal(d_h)}


def through_h(p: Arrays, s: Arrays, before: Arrays) -> np.ndarray:
    """What is left of the right answer without its direct path: M diag(v)."""
    return cell_jacobian(p, s, before) - np.diag(s["f"])


def opening(before: Arrays) -> np.ndarray:
    return before["o"] * (1 - np.tanh(before["c"]) ** 2)


def without(gate: str):
    """The mistake of one path left out."""
    return lambda p, s, b: cell_jacobian(p | {f"W_h{gate}": 0 * p[f"W_h{gate}"]}, s, b)


def _columns_scaled(p: Arrays, s: Arrays, before: Arrays) -> np.ndarray:
    # v * W, as NumPy does it without [:, None], in each of the three paths
    f, i, c_tilde = s["f"], s["i"], s["c_tilde"]
    M = before["c"] * f * (1 - f) * p["W_hf"] + c_tilde * i * (1 - i) * p["W_hi"]
    M = M + i * (1 - c_tilde**2) * p["W_hc"]
    return np.diag(f) + M * opening(before)


JACOBIAN_MISTAKES = {
    "The direct path diag(f) is missing.": through_h,
    "That is the direct path alone; three more lead through h_{t-1}.": (
        lambda p, s, b: np.diag(s["f"])
    ),
    "f is a vector: it belongs on the diagonal, not in every row.": (
        lambda p, s, b: s["f"] + through_h(p, s, b)
    ),
    "f is a vector: it belongs on the diagonal, not in every column.": (
        lambda p, s, b: s["f"][:, None] + through_h(p, s, b)
    ),
    "The last diagonal stands on the right of M: it scales columns.": (
        lambda p, s, b: (
            np.diag(s["f"]) + opening(b)[:, None] * (through_h(p, s, b) / opening(b))
        )
    ),
    "The tanh is forgotten: dh/dc is o (1 - tanh² c), not o.": (
        lambda p, s, b: np.diag(s["f"]) + through_h(p, s, b) / opening(b) * b["o"]
    ),
    "dh/dc is o (1 - tanh² c); you have o (1 - c²), as if c were a tanh.": (
        lambda p, s, b: (
            np.diag(s["f"])
            + through_h(p, s, b) / opening(b) * b["o"] * (1 - b["c"] ** 2)
        )
    ),
    "The output gate is forgotten: dh/dc is o (1 - tanh² c).": (
        lambda p, s, b: np.diag(s["f"]) + through_h(p, s, b) / b["o"]
    ),
    "dh/dc is o (1 - tanh² c); you have o tanh(c).": lambda p, s, b: (
        np.diag(s["f"]) + through_h(p, s, b) / opening(b) * b["o"] * np.tanh(b["c"])
    ),
    "diag(v) W scales the rows of W, v[:, None] * W; in M you scaled its columns.": (
        _columns_scaled
    ),
    "The path via the forget gate is missing in M.": without("f"),
    "The path via the input gate is missing in M.": without("i"),
    "The path via the candidate is missing in M.": without("c"),
    "Each path of M begins with its other factor: c_{t-1}, c_tilde or i.": (
        lambda p, s, b: cell_jacobian(
            {
                f"W_h{k}": p[f"W_h{k}"] / factor[:, None]
                for k, factor in zip("fic", (b["c"], s["c_tilde"], s["i"]), strict=True)
            },
            s,
            b,
        )
    ),
    "This is the transpose; in numerator layout (j, k) is dc_j/dc_k.": (
        lambda p, s, b: cell_jacobian(p, s, b).T
    ),
}


def products_with(n: int, k: int) -> int:
    """From k of the n brackets take G, from the others F."""
    return comb(n, k)


def brackets(rng: Generator) -> tuple:
    n = int(rng.integers(6, 12))
    return n, int(rng.integers(2, n - 2))


PRODUCTS_MISTAKES = {
    "That is the number of all products; only those with k times G count.": (
        lambda n, k: 2**n
    ),
    "Exactly k times G: those with fewer do not count.": (
        lambda n, k: sum(comb(n, fewer) for fewer in range(k + 1))
    ),
    "From each bracket F or G is taken, and it matters from which ones.": (
        lambda n, k: n * k
    ),
    "The brackets with G have no order among themselves: divide by k!.": (
        lambda n, k: int(np.prod(np.arange(n - k + 1, n + 1)))
    ),
}


def reach(
    scale: float, seed: int, forget_bias: float = 0.0, d_h: int = 8, T: int = 60
) -> float:
    """Size of dc_0 when one loss pulls at h_T: zero input, weights of this size."""
    rng = np.random.default_rng(seed)
    W_h = scale * rng.standard_normal((4 * d_h, d_h)) / np.sqrt(d_h)
    b = np.zeros(4 * d_h)
    b[d_h : 2 * d_h] = forget_bias  # the blocks are c_tilde, f, i, o
    weights = LSTMWeights(np.zeros((4 * d_h, 1)), W_h, b)
    h_0, c_0 = np.tanh(rng.standard_normal((2, 1, d_h)))
    h, _, cache = lstm_forward(weights, np.zeros((1, T, 1)), h_0, c_0)
    dh = np.zeros_like(h)
    dh[:, -1] = 1.0
    _, _, (_, dc_0) = lstm_backward(weights, cache, dh)
    return float(np.linalg.norm(dc_0))


def threshold_of_explosion(seeds: int = 20) -> dict:
    """The size of the recurrent weights, then the forget bias; the rest stays equal.

    Three numbers each: in how many networks dc_0 is longer than 1, which is what we
    call growth (each entry of h_60 is pulled by 1), its median, and the largest.

    Found with the same 20 networks for both biases, over 60 steps:
            forget bias 0             forget bias 5
    size    grew  median  largest     grew  median  largest
    1        0    4e-9    2e-4         8    0.2     5
    2        0    1e-4    0.1          4    0.08    2e1
    4        3    2e-3    2e1          5    0.1     6
    6        9    0.6     1e4         13    3       2e2
    8       11    7       4e9         14    3       4e5
    12      14    5e2     2e8         14    7e1     7e9
    With bias 0 growth begins between 2 and 4. An open gate protects from vanishing: at
    size 1 the median is 0.2 and no longer 4e-9. It does not protect from growth: at no
    size did fewer networks grow. With small weights that is no explosion, as the 8 at
    size 1 stay below 5; and at 4 to 8 even the largest is smaller than with bias 0.
    What this does not show: networks that are trained, or that read an input.
    """
    found = {}
    for bias, scale in product((0, 5), (1, 2, 4, 6, 8, 12)):
        sizes = np.array([reach(scale, seed, bias) for seed in range(seeds)])
        found[bias, scale] = (sizes > 1).sum(), np.median(sizes), sizes.max()
    return found


EXERCISES = Exercises(
    "every_path",
    Exercise(1, "**", cell_jacobian, one_step, JACOBIAN_MISTAKES),
    Exercise(2, "*", products_with, brackets, PRODUCTS_MISTAKES),
    Exercise(3, "***", threshold_of_explosion, helpers=(reach,)),
)
check, solution = EXERCISES.check, EXERCISES.solution
