"""Exercises of lecture 04: other right answers pass, mistakes are named."""

import numpy as np
import pytest
import torch
from exercise_cases import variants

from course_lib.exercises.exercise import examine
from course_lib.exercises.lstm import (
    EXERCISES,
    GATES,
    candidates_compared,
    recall_with,
)


def half_life(n):
    return -np.log(np.expm1(np.log(2) / n))


def by_autograd(p, x_t, s, h_prev, c_prev, g_h, g_c_later):
    """All gradients of one step: h_t and c_t pulled by what reaches them."""
    given = p | {"x": x_t, "h_prev": h_prev, "c_prev": c_prev}
    leaves = {name: torch.tensor(v, requires_grad=True) for name, v in given.items()}
    a = {
        k: leaves["x"] @ leaves[f"W_x{k}"].T
        + leaves["h_prev"] @ leaves[f"W_h{k}"].T
        + leaves[f"b_{k}"]
        for k in GATES
    }
    c = a["f"].sigmoid() * leaves["c_prev"] + a["i"].sigmoid() * a["c"].tanh()
    h = a["o"].sigmoid() * c.tanh()
    ((h * torch.tensor(g_h)).sum() + (c * torch.tensor(g_c_later)).sum()).backward()
    return {name: leaf.grad.numpy() for name, leaf in leaves.items()}


def with_gaps(*arguments):
    right = by_autograd(*arguments)
    return {name: value for name, value in right.items() if name != "b_o"}


def averaged(p, x_t, *rest):
    right = by_autograd(p, x_t, *rest)
    return {k: v / len(x_t) if k[:2] in ("W_", "b_") else v for k, v in right.items()}


def slip(name):
    """The step as a student writes it, with one slip."""

    def gradients(p, x_t, s, h_prev, c_prev, g_h, g_c_later):
        f, i, o, g = s["f"], s["i"], s["o"], s["c_tilde"]
        shown = np.tanh(s["c"])
        dc = g_h * o * (1 if name == "h to c" else 1 - shown**2)
        dc = dc + g_c_later * (f if name == "f twice" else 1)
        df, di, dg = dc * c_prev, dc * g, dc * i
        if name == "factors":
            di, dg = dc * i, dc * g
        do = g_h * (s["c"] if name == "c" else shown)
        if name != "slopes":
            df, di, do = df * f * (1 - f), di * i * (1 - i), do * o * (1 - o)
            inside = {"tanh": np.tanh(g), "cell": s["c"], "flat": 0.0}.get(name, g)
            dg = dg * (1 - inside**2)
        if name == "o":
            do = g_h * shown
        passed = g_c_later if name == "bridge" else dc
        found = {"x": 0, "h_prev": 0, "c_prev": passed * f}
        for k, d in zip(GATES, (df, di, do, dg), strict=True):
            turned = h_prev.T @ d if name == "transpose" else d.T @ h_prev
            found |= {f"W_x{k}": d.T @ x_t, f"W_h{k}": turned, f"b_{k}": d.sum(0)}
            found["x"] = found["x"] + d @ p[f"W_x{k}"]
            found["h_prev"] = found["h_prev"] + d @ p[f"W_h{k}"]
        return found

    return gradients


def spoiled(*arguments):
    arguments[2]["f"] *= 2
    return by_autograd(*arguments)


RIGHT = [
    (1, half_life),
    (2, lambda x, h: 4 * h * (h + x + 1)),
    (3, lambda f, i, o, c: np.vstack([i, f, c, o])),
    (4, by_autograd),
    (4, slip("none")),
]
WRONG = [
    (1, lambda n: 2 ** (-1 / n), "value of the gate"),
    (1, lambda n: -half_life(n), "wrong sign"),
    (1, lambda n: 0.0, "halves the memory at every step"),
    (1, np.log, "rule of thumb"),
    (1, lambda n: -np.log(2) / n, "That is log r"),
    (1, lambda n: np.log(n - 1), "1/e"),
    (1, lambda n: half_life(n) / np.log(10), "natural logarithm"),
    (1, lambda n: round(half_life(n), 2), "expected"),
    (2, lambda x, h: h * (h + x + 1), "one of the four"),
    (2, lambda x, h: 4 * (x * x + x * h + x), "changed places"),
    (3, lambda f, i, o, c: np.vstack([i.T, f.T, c.T, o.T]), "without a transpose"),
    (4, averaged, "no mean"),
    (2, lambda x, h: 3 * h * (h + x + 1), "not three"),
    (2, lambda x, h: 4 * h * (h + x), "biases are missing"),
    (2, lambda x, h: 4 * h * (h + x + 2), "two biases"),
    (2, lambda x, h: 180, "expected"),
    (3, lambda *W: np.vstack(W), "order of the arguments"),
    (3, lambda f, i, o, c: np.vstack([i, f, o, c]), "third"),
    (3, lambda f, i, o, c: np.vstack([f, i, c, o]), "exchanged"),
    (3, lambda f, i, o, c: np.hstack([i, f, c, o]), "side by side"),
    (3, lambda f, i, o, c: np.vstack([c, f, i, o]), "library"),
    (4, with_gaps, "entries ["),
    (4, lambda *a: np.zeros(5), "a dictionary with"),
    (4, spoiled, "changes its arguments"),
    (4, lambda *a: by_autograd(*a[:-1], 0 * a[-1]), "came over the bridge"),
    (4, lambda *a: by_autograd(*a) | {"b_i": np.zeros(7)}, "['b_i']"),
    (4, slip("h to c"), "From h to c"),
    (4, slip("f twice"), "already"),
    (4, slip("factors"), "other factor"),
    (4, slip("c"), "tanh(c), not c"),
    (4, slip("slopes"), "slopes are missing"),
    (4, slip("tanh"), "without another tanh"),
    (4, slip("transpose"), "transpose"),
    (4, slip("cell"), "c is the cell state"),
    (4, slip("flat"), "comes out of a tanh"),
    (4, slip("o"), "comes out of a sigmoid"),
    (4, slip("bridge"), "all of g^c"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_backward_step_is_named_right_for_every_entry():
    """Each of the fifteen gradients is compared: change one, and it is noticed."""
    for name in by_autograd(*EXERCISES[4].cases()[0]):

        def changed(*arguments, name=name):
            right = by_autograd(*arguments)
            return right | {name: right[name] + 0.1}

        assert f"['{name}']" in examine(EXERCISES[4], changed)


def test_the_open_exercise_compares_candidates_and_shows_every_seed():
    found = candidates_compared(seeds=1, gaps=(3,))
    assert set(found) == {("tanh", 3), ("sigmoid", 3)}
    # The same training again: products are not always summed in the same order.
    again = pytest.approx(recall_with(torch.sigmoid, 0, gap=3), abs=0.02)
    assert found["sigmoid", 3] == [again]
    assert found["sigmoid", 3][0][1] >= 0 > found["tanh", 3][0][1]
