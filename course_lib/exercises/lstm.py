"""Exercises of lecture 04, the LSTM."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from course_lib.exercises.verdict import equal, judge

Arrays = dict[str, np.ndarray]
GATES = ("f", "i", "o", "c")


def sigmoid(a: Any) -> Any:
    """1 / (1 + e^-a)"""
    return 1 / (1 + np.exp(-a))


def check_parameter_count(answer: Callable) -> None:
    """4 (d_h² + d_h d_x + d_h)"""
    d_x, d_h = 3, 5
    one = d_h * d_h + d_h * d_x + d_h
    mistakes = {
        "That is one of the four networks: f, i, o and the candidate.": one,
        "Three gates and the candidate make four networks, not three.": 3 * one,
        "The biases are missing, d_h for each of the four.": 4 * (one - d_h),
        "You counted two biases per gate, as PyTorch does; our cell has one.": (
            4 * (one + d_h)
        ),
    }
    judge("Exercise 1", answer, (d_x, d_h), 4 * one, mistakes)


def check_weight_hh(answer: Callable) -> None:
    """The blocks i, f, g (the candidate), o, one below the other."""
    W: Arrays = dict(
        zip(GATES, np.random.default_rng(11).standard_normal((4, 3, 3)), strict=True)
    )

    def stack(order: str, axis: int = 0) -> np.ndarray:
        return np.concatenate([W[k] for k in order], axis=axis)

    mistakes = {
        "That is the order of the arguments; PyTorch has i, f, g, o.": stack("fioc"),
        "PyTorch puts the candidate third, before the output gate.": stack("ifoc"),
        "The first two are exchanged: the input gate comes first.": stack("fico"),
        "The blocks stand below one another, not side by side.": stack("ifco", axis=1),
        "That is the course library's order; PyTorch has i, f, g, o.": stack("cfio"),
    }
    arguments = tuple(W[k] for k in GATES)
    judge("Exercise 2", answer, arguments, stack("ifco"), mistakes)


def check_first_step_deltas(answer: Callable) -> None:
    """delta of f, i, o, c at t = 1 of the worked example, to two digits."""
    g_c, g_h, c_0 = -0.2954, -0.1108, 0.5
    f = i = sigmoid(1.0)
    o, c_tilde = sigmoid(0.0), np.tanh(1.0)
    c_1 = f * c_0 + i * c_tilde
    slope = f * (1 - f)
    d_f, d_i = g_c * c_0 * slope, g_c * c_tilde * slope
    d_o, d_c = g_h * np.tanh(c_1) * o * (1 - o), g_c * i * (1 - c_tilde**2)
    right = np.array([d_f, d_i, d_o, d_c])
    mistakes = {
        "In the line of f stands c_0 = 0.5, the state before the step, not c_1.": (
            g_c * c_1 * slope,
            d_i,
            d_o,
            d_c,
        ),
        "The output gate is used by h, so its line starts from g^h, not g^c.": (
            d_f,
            d_i,
            g_c * np.tanh(c_1) * o * (1 - o),
            d_c,
        ),
        "The slopes of the squashing functions are missing.": (
            g_c * c_0,
            g_c * c_tilde,
            g_h * np.tanh(c_1),
            g_c * i,
        ),
        "The output gate gets the other factor of h = o tanh(c): tanh(c_1), not c_1.": (
            d_f,
            d_i,
            g_h * c_1 * o * (1 - o),
            d_c,
        ),
    }
    judge(
        "Exercise 3", _snapped(answer, right, *mistakes.values()), (), right, mistakes
    )


def _snapped(answer: Callable, *options: Any) -> Callable:
    """Numbers found on paper are rounded: take the option they agree with, if any."""

    def call() -> Any:
        got = answer()
        for option in options:
            try:
                if np.allclose(got, option, rtol=0, atol=6e-4):
                    return option
            except (TypeError, ValueError):  # not four numbers: let `judge` say so
                break
        return got

    return call


def check_half_life_bias(answer: Callable) -> None:
    """b = log(r / (1 - r)) with r = 2^(-1/n)"""
    n = 20
    r = 0.5 ** (1 / n)
    mistakes = {
        "That is the value of the gate; the bias is what the sigmoid makes it from.": r,
        "You inverted the sigmoid with the wrong sign; an open gate needs b > 0.": (
            np.log((1 - r) / r)
        ),
        "That bias gives a gate of 1/2, which halves the memory at every step.": 0.0,
        "log(n) is a good rule of thumb, but one half asks for a little more.": np.log(
            n
        ),
        "With this gate (1 - 1/n) the share left is 1/e, not one half.": np.log(n - 1),
    }
    judge("Exercise 4", answer, (n,), np.log(r / (1 - r)), mistakes)


def check_cell_jacobian(answer: Callable) -> None:
    """diag(f) + M diag(o (1 - tanh² c)) with the three terms of M."""
    rng = np.random.default_rng(13)
    p = {f"W_h{k}": rng.standard_normal((5, 5)) for k in "fic"}
    s = {"f": rng.uniform(size=5), "i": rng.uniform(size=5)}
    s["c_tilde"] = np.tanh(rng.standard_normal(5))
    before = {"o": rng.uniform(size=5), "c": rng.standard_normal(5)}
    f, i, g, c = s["f"], s["i"], s["c_tilde"], before["c"]
    via_f = (c * f * (1 - f))[:, None] * p["W_hf"]
    via_i = (g * i * (1 - i))[:, None] * p["W_hi"]
    M = via_f + via_i + (i * (1 - g**2))[:, None] * p["W_hc"]
    v = before["o"] * (1 - np.tanh(c) ** 2)
    right = np.diag(f) + M * v
    mistakes = {
        "The direct path diag(f) is missing.": M * v,
        "That is the direct path alone; three more lead through h_{t-1}.": np.diag(f),
        "f is a vector: it belongs on the diagonal, not in every row.": f + M * v,
        "f is a vector: it belongs on the diagonal, not in every column.": (
            f[:, None] + M * v
        ),
        "The last diagonal stands on the right of M: it scales columns.": (
            np.diag(f) + v[:, None] * M
        ),
        "The tanh is forgotten: dh/dc is o (1 - tanh² c), not o.": (
            np.diag(f) + M * before["o"]
        ),
        "dh/dc is o (1 - tanh² c); you have o tanh(c).": (
            np.diag(f) + M * before["o"] * np.tanh(c)
        ),
        "The path via the forget gate is missing in M.": np.diag(f) + (M - via_f) * v,
        "The path via the input gate is missing in M.": np.diag(f) + (M - via_i) * v,
        "This is the transpose; in numerator layout (j, k) is dc_j/dc_k.": right.T,
    }
    judge("Exercise 5", answer, (p, s, before), right, mistakes)


def check_lstm_step_gradients(answer: Callable) -> None:
    """All fifteen gradients of one backward step, each against autograd."""
    arguments = _one_step()
    right = _autograd_step(*arguments)
    try:
        got = answer(*_one_step())  # its own copy, which it may change
    except Exception as error:
        print(f"Exercise 6: your function raised {type(error).__name__}: {error}")
        return
    if got is None or got is Ellipsis:
        print("Exercise 6: not attempted yet")
        return
    if not isinstance(got, dict):
        kind = type(got).__name__
        print(f"Exercise 6: not yet. Return a dictionary of gradients, not {kind}.")
        return
    missing = [name for name in right if name not in got]
    if missing:
        print(f"Exercise 6: not yet. No entry for {', '.join(missing)}.")
        return
    wrong = [name for name in right if not equal(got[name], right[name])]
    if not wrong:
        print("Exercise 6: right, all fifteen gradients equal autograd's")
        return
    fine = len(right) - len(wrong)
    reason = _likely_mistake(wrong[0], got[wrong[0]], arguments, right)
    print(f"Exercise 6: not yet, {fine} of 15 are right. {wrong[0]}: {reason}")


def _one_step() -> tuple:
    """One LSTM step and incoming gradients: p, x_t, s, h_prev, c_prev, g_h, later."""
    rng = np.random.default_rng(17)
    B, d_x, d_h = 2, 3, 5
    p = {f"W_x{k}": rng.standard_normal((d_h, d_x)) for k in GATES}
    p |= {f"W_h{k}": rng.standard_normal((d_h, d_h)) for k in GATES}
    p |= {f"b_{k}": rng.standard_normal(d_h) for k in GATES}
    x_t = rng.standard_normal((B, d_x))
    h_prev, c_prev, g_h, g_c_later = rng.standard_normal((4, B, d_h))
    a = {k: x_t @ p[f"W_x{k}"].T + h_prev @ p[f"W_h{k}"].T + p[f"b_{k}"] for k in GATES}
    s = {k: sigmoid(a[k]) for k in "fio"} | {"c_tilde": np.tanh(a["c"])}
    s["c"] = s["f"] * c_prev + s["i"] * s["c_tilde"]
    return p, x_t, s, h_prev, c_prev, g_h, g_c_later


def _autograd_step(
    p: Arrays,
    x_t: np.ndarray,
    _s: Arrays,
    h_prev: np.ndarray,
    c_prev: np.ndarray,
    g_h: np.ndarray,
    g_c_later: np.ndarray,
) -> dict:
    """What autograd says: h_t and c_t pulled by the gradients that reach them."""
    inputs = p | {"x": x_t, "h_prev": h_prev, "c_prev": c_prev}
    t = {name: torch.tensor(v, requires_grad=True) for name, v in inputs.items()}
    a = {
        k: t["x"] @ t[f"W_x{k}"].T + t["h_prev"] @ t[f"W_h{k}"].T + t[f"b_{k}"]
        for k in GATES
    }
    c = a["f"].sigmoid() * t["c_prev"] + a["i"].sigmoid() * a["c"].tanh()
    h = a["o"].sigmoid() * c.tanh()
    ((h * torch.tensor(g_h)).sum() + (c * torch.tensor(g_c_later)).sum()).backward()
    return {name: np.asarray(leaf.grad) for name, leaf in t.items()}


def _by_hand(
    p: Arrays,
    x_t: np.ndarray,
    s: Arrays,
    h_prev: np.ndarray,
    c_prev: np.ndarray,
    g_h: np.ndarray,
    g_c_later: np.ndarray,
    mistake: str = "",
) -> dict:
    """The backward step with one of the usual mistakes built in."""
    f, i, o, g, tanh_c = s["f"], s["i"], s["o"], s["c_tilde"], np.tanh(s["c"])
    g_c = g_h * o * (1 - tanh_c**2) + (0 if mistake == "bridge" else g_c_later)
    slopes = {"f": f * (1 - f), "i": i * (1 - i), "o": o * (1 - o), "c": 1 - g**2}
    if mistake == "slope":
        slopes = dict.fromkeys(GATES, 1.0)
    delta = {
        "f": g_c * (s["c"] if mistake == "c_prev" else c_prev) * slopes["f"],
        "i": g_c * g * slopes["i"],
        "o": (g_c if mistake == "output" else g_h) * tanh_c * slopes["o"],
        "c": g_c * i * slopes["c"],
    }
    grads: dict[str, Any] = {f"W_x{k}": d.T @ x_t for k, d in delta.items()}
    grads |= {f"W_h{k}": d.T @ h_prev for k, d in delta.items()}
    grads |= {f"b_{k}": d.sum(axis=0) for k, d in delta.items()}
    used = [k for k in GATES if not (mistake == "three gates" and k == "o")]
    grads["x"] = sum(delta[k] @ p[f"W_x{k}"] for k in used)
    grads["h_prev"] = sum(delta[k] @ p[f"W_h{k}"] for k in used)
    if mistake == "transpose":
        grads["h_prev"] = sum(delta[k] @ p[f"W_h{k}"].T for k in GATES)
    grads["c_prev"] = g_c if mistake == "forget" else g_c * f
    return grads


SENTENCES = {
    "bridge": "g^c is not complete: add what came over the bridge, g_c_later.",
    "c_prev": "the line of f has c_{t-1}, the state before the step, not c_t.",
    "output": "o is used by h, so its line starts from g^h, not from g^c.",
    "slope": "the slope of the squashing function is missing.",
    "three gates": "four pre-activations read it; the output gate is one of them.",
    "transpose": "a row times W, delta @ W, without a transpose.",
    "forget": "the bridge to c_{t-1} is multiplied by f_t.",
}


def _likely_mistake(name: str, got: Any, arguments: tuple, right: dict) -> str:
    """The sentence for the first known mistake that gives this value."""
    for mistake, sentence in SENTENCES.items():
        if equal(got, _by_hand(*arguments, mistake=mistake)[name]):
            return sentence
    shape, expected = np.shape(got), np.shape(right[name])
    if shape != expected:
        return f"it has shape {shape}; expected {expected}."
    return "the shape is right, the numbers are not."
