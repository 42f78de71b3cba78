"""Exercises of lecture 04b: other right answers pass, mistakes are named."""

from itertools import product

import numpy as np
import torch
from exercise_cases import variants

from course_lib.exercises.every_path import EXERCISES, reach, threshold_of_explosion


def by_autograd(p, s, before):
    """dc_t/dc_{t-1}: the gates move with h around the values that are given."""
    f, i, g, o, c_0 = (
        torch.tensor(v)
        for v in (s["f"], s["i"], s["c_tilde"], before["o"], before["c"])
    )
    a = {"f": torch.logit(f), "i": torch.logit(i), "c": torch.atanh(g)}
    W = {k: torch.tensor(p[f"W_h{k}"]) for k in "fic"}

    def memory(c):
        moved = o * c.tanh() - o * c_0.tanh()
        now = {k: a[k] + W[k] @ moved for k in "fic"}
        return now["f"].sigmoid() * c + now["i"].sigmoid() * now["c"].tanh()

    return torch.autograd.functional.jacobian(memory, c_0).numpy()


def as_if_c_were_a_tanh(p, s, b):
    right, wrong = 1 - np.tanh(b["c"]) ** 2, 1 - b["c"] ** 2
    through_h = by_autograd(p, s, b) - np.diag(s["f"])
    return np.diag(s["f"]) + through_h / right * wrong


def slopes_alone(p, s, b):
    """Slope, matrix, slope: the other factor of each product is missing."""
    slopes = {k: s[k] * (1 - s[k]) for k in "fi"} | {"c": 1 - s["c_tilde"] ** 2}
    M = sum(np.diag(slope) @ p[f"W_h{k}"] for k, slope in slopes.items())
    return np.diag(s["f"]) + M @ np.diag(b["o"] * (1 - np.tanh(b["c"]) ** 2))


def counted(n, k):
    return sum(sum(choice) == k for choice in product((0, 1), repeat=n))


def rows_forgotten(p, s, before):
    """A vector times a matrix, without [:, None]."""
    slope = {k: s[k] * (1 - s[k]) for k in "fi"} | {"c": 1 - s["c_tilde"] ** 2}
    factor = {"f": before["c"], "i": s["c_tilde"], "c": s["i"]}
    M = sum(factor[k] * slope[k] * p[f"W_h{k}"] for k in "fic")
    return np.diag(s["f"]) + M * before["o"] / np.cosh(before["c"]) ** 2


RIGHT = [(1, by_autograd), (2, counted)]
WRONG = [
    (1, lambda p, s, b: np.diag(s["f"]), "three more"),
    (1, lambda p, s, b: by_autograd(p, s, b) - np.diag(s["f"]), "direct path"),
    (1, lambda p, s, b: by_autograd(p, s, b).T, "transpose"),
    (1, as_if_c_were_a_tanh, "as if c were a tanh"),
    (1, lambda p, s, b: s["f"], "shape ("),
    (1, lambda p, s, b: by_autograd(p, s, b | {"o": 0 * b["o"] + 1}), "gate is forgot"),
    (1, slopes_alone, "other factor"),
    (1, rows_forgotten, "you scaled its columns"),
    (2, lambda n, k: sum(counted(n, fewer) for fewer in range(k + 1)), "Exactly"),
    (2, lambda n, k: 2**n, "all products"),
    (2, lambda n, k: n * k, "from which ones"),
    (2, lambda n, k: 20, "expected"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_small_weights_shrink_a_gradient_and_large_ones_can_make_it_grow():
    assert max(reach(1.0, seed) for seed in range(5)) < 1
    assert max(reach(8.0, seed) for seed in range(5)) > 1


def test_an_open_forget_gate_protects_from_vanishing_not_from_growth():
    """The table that the solution tells."""
    found = threshold_of_explosion()
    grew = {key: count for key, (count, _, _) in found.items()}
    sizes = (1, 2, 4, 6, 8, 12)
    assert [grew[0, size] for size in sizes] == [0, 0, 3, 9, 11, 14]
    assert [grew[5, size] for size in sizes] == [8, 4, 5, 13, 14, 14]
    assert found[0, 1][1] < 1e-8 < 0.1 < found[5, 1][1]
    assert found[0, 2][1] < 1e-3 < 0.05 < found[5, 2][1]
    assert found[5, 1][2] < 5
    assert all(found[5, size][2] < found[0, size][2] for size in (4, 6, 8))
