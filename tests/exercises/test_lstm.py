"""Exercise checks of lecture 04: right answers pass, likely mistakes are named."""

import numpy as np
import pytest
from exercise_cases import exercise_tests, verdict

from course_lib.exercises import lstm


def half_life(n):
    gate = 2 ** (-1 / n)
    return -np.log(1 / gate - 1)


def jacobian(p, s, before, direct=True, tanh=True, paths="fic", side="right"):
    """Equation (8) with diagonal matrices written out, one knob for each mistake."""
    f, i, g, c = s["f"], s["i"], s["c_tilde"], before["c"]
    rows = {"f": c * f * (1 - f), "i": g * i * (1 - i), "c": i * (1 - g**2)}
    M = sum(np.diag(rows[k]) @ p[f"W_h{k}"] for k in paths)
    v = np.diag(before["o"] * ((1 - np.tanh(c) ** 2) if tanh else 1))
    through_h = M @ v if side == "right" else v @ M
    return direct * np.diag(f) + through_h


def step_gradients(p, x_t, s, h_prev, c_prev, g_h, g_c_later):
    """The backward step of lecture 04, written with the rule of its section 5."""
    f, i, o, g = s["f"], s["i"], s["o"], s["c_tilde"]
    tanh_c = np.tanh(s["c"])
    g_c = g_c_later + g_h * o * (1 - tanh_c * tanh_c)
    delta = {
        "f": g_c * c_prev * f * (1 - f),
        "i": g_c * g * i * (1 - i),
        "o": g_h * tanh_c * o * (1 - o),
        "c": g_c * i * (1 - g * g),
    }
    out = {"c_prev": g_c * f, "x": 0, "h_prev": 0}
    for k, d in delta.items():
        out[f"W_x{k}"] = np.einsum("bm,bn->mn", d, x_t)
        out[f"W_h{k}"] = np.einsum("bm,bn->mn", d, h_prev)
        out[f"b_{k}"] = d.sum(0)
        out["x"] = out["x"] + d @ p[f"W_x{k}"]
        out["h_prev"] = out["h_prev"] + d @ p[f"W_h{k}"]
    return out


def step_that_spoils(p, *rest):
    """It writes into its arguments, and is judged on the original numbers."""
    out = step_gradients(p, *rest)
    for w in p.values():
        w *= 0
    return out


def step_with_gaps(*a):
    out = step_gradients(*a)
    return {k: v for k, v in out.items() if k not in ("x", "b_o")}


PAPER = (-0.029, -0.044, -0.020, -0.091)  # two digits, as found with a calculator
RIGHT = [
    (lstm.check_parameter_count, lambda x, h: 4 * h * (h + x + 1)),
    (lstm.check_weight_hh, lambda f, i, o, c: np.vstack([i, f, c, o])),
    (lstm.check_first_step_deltas, lambda: PAPER),
    (lstm.check_half_life_bias, half_life),
    (lstm.check_cell_jacobian, jacobian),
    (lstm.check_lstm_step_gradients, step_gradients),
    (lstm.check_lstm_step_gradients, step_that_spoils),
]


def changed(**values):
    """A wrong answer to exercise 3: the right one with some numbers replaced."""
    answer = dict(zip("fioc", PAPER, strict=True)) | values
    return lambda: tuple(answer.values())


def vector_plus_matrix(p, s, before, axis):
    f = s["f"][:, None] if axis else s["f"]
    return f + jacobian(p, s, before, direct=False)


WRONG = [
    (lstm.check_parameter_count, lambda x, h: h * (h + x + 1), "one of the four"),
    (lstm.check_parameter_count, lambda x, h: 3 * h * (h + x + 1), "not three"),
    (lstm.check_parameter_count, lambda x, h: 4 * h * (h + x), "biases are missing"),
    (lstm.check_parameter_count, lambda x, h: 4 * h * (h + x + 2), "two biases"),
    (lstm.check_parameter_count, lambda x, h: 7, "expected 180"),
    (lstm.check_weight_hh, lambda *W: np.vstack(W), "order of the arguments"),
    (lstm.check_weight_hh, lambda f, i, o, c: np.vstack([i, f, o, c]), "third"),
    (lstm.check_weight_hh, lambda f, i, o, c: np.vstack([f, i, c, o]), "exchanged"),
    (lstm.check_weight_hh, lambda f, i, o, c: np.hstack([i, f, c, o]), "side by side"),
    (lstm.check_weight_hh, lambda f, i, o, c: np.vstack([c, f, i, o]), "library"),
    (lstm.check_weight_hh, lambda f, i, o, c: i, "shape (3, 3)"),
    (lstm.check_first_step_deltas, changed(f=-0.0536), "c_0 = 0.5"),
    (lstm.check_first_step_deltas, changed(o=-0.0537), "starts from g^h"),
    (lstm.check_first_step_deltas, changed(o=-0.0256), "tanh(c_1), not c_1"),
    (
        lstm.check_first_step_deltas,
        lambda: (-0.1477, -0.2250, -0.0806, -0.2160),
        "slopes",
    ),
    (lstm.check_first_step_deltas, changed(c=0.5), "the numbers are not"),
    (lstm.check_first_step_deltas, lambda: (1.0, 2.0), "shape (2,)"),
    (lstm.check_first_step_deltas, lambda: "four numbers", "not yet"),
    (lstm.check_half_life_bias, lambda n: 2 ** (-1 / n), "value of the gate"),
    (lstm.check_half_life_bias, lambda n: -half_life(n), "wrong sign"),
    (lstm.check_half_life_bias, lambda n: 0.0, "halves the memory at every step"),
    (lstm.check_half_life_bias, lambda n: np.log(n), "rule of thumb"),
    (lstm.check_half_life_bias, lambda n: np.log(n - 1), "1/e"),
    (lstm.check_cell_jacobian, lambda *a: jacobian(*a, direct=False), "direct path"),
    (lstm.check_cell_jacobian, lambda p, s, b: np.diag(s["f"]), "three more"),
    (lstm.check_cell_jacobian, lambda *a: vector_plus_matrix(*a, 0), "every row"),
    (lstm.check_cell_jacobian, lambda *a: vector_plus_matrix(*a, 1), "every column"),
    (lstm.check_cell_jacobian, lambda *a: jacobian(*a, side="left"), "scales columns"),
    (
        lstm.check_cell_jacobian,
        lambda *a: jacobian(*a, tanh=False),
        "tanh is forgotten",
    ),
    (lstm.check_cell_jacobian, lambda *a: jacobian(*a, paths="ic"), "forget gate is"),
    (lstm.check_cell_jacobian, lambda *a: jacobian(*a, paths="fc"), "input gate is"),
    (lstm.check_cell_jacobian, lambda *a: jacobian(*a).T, "transpose"),
    (
        lstm.check_cell_jacobian,
        lambda p, s, b: (
            np.diag(s["f"])
            + jacobian(p, s, b, direct=False)
            / (1 - np.tanh(b["c"]) ** 2)
            * np.tanh(b["c"])
        ),
        "you have o tanh(c)",
    ),
    (lstm.check_lstm_step_gradients, step_with_gaps, "No entry for b_o, x"),
    (lstm.check_lstm_step_gradients, lambda *a: np.zeros(5), "dictionary"),
]


# exercise 6: (what the student did to the right answer, the entry named, the sentence)
def with_c_for_c_prev(p, x_t, s, h_prev, c_prev, *gradients):
    out = step_gradients(p, x_t, s, h_prev, s["c"], *gradients)
    right = step_gradients(p, x_t, s, h_prev, c_prev, *gradients)
    return right | {k: out[k] for k in ("W_xf", "W_hf", "b_f")}


def without_the_bridge(*a):
    return step_gradients(*a[:-1], 0 * a[-1])


def with_transpose(p, *rest):
    turned = {k: w.T if k.startswith("W_h") else w for k, w in p.items()}
    return step_gradients(p, *rest) | {
        "h_prev": step_gradients(turned, *rest)["h_prev"]
    }


def with_three_gates(p, *rest):
    fewer = p | {"W_xo": 0 * p["W_xo"], "W_ho": 0 * p["W_ho"]}
    return step_gradients(p, *rest) | {"x": step_gradients(fewer, *rest)["x"]}


def output_from_g_c(p, x_t, s, h_prev, c_prev, g_h, later):
    g_c = later + g_h * s["o"] * (1 - np.tanh(s["c"]) ** 2)
    out = step_gradients(p, x_t, s, h_prev, c_prev, g_c, 0 * later)
    right = step_gradients(p, x_t, s, h_prev, c_prev, g_h, later)
    return right | {k: out[k] for k in ("W_xo", "W_ho", "b_o")}


def no_forget_on_the_bridge(p, x_t, s, *rest):
    out = step_gradients(p, x_t, s, *rest)
    return out | {"c_prev": out["c_prev"] / s["f"]}


def candidate_slope_missing(p, x_t, s, *rest):
    out = step_gradients(p, x_t, s, *rest)
    flat = step_gradients(p, x_t, s | {"c_tilde": 0 * s["c_tilde"]}, *rest)
    return out | {"b_c": flat["b_c"]}


STEPS = [
    (with_c_for_c_prev, "W_xf", "c_{t-1}"),
    (without_the_bridge, "W_xf", "came over the bridge"),
    (with_transpose, "h_prev", "without a transpose"),
    (with_three_gates, "x", "output gate is one of them"),
    (output_from_g_c, "W_xo", "from g^h"),
    (no_forget_on_the_bridge, "c_prev", "multiplied by f_t"),
    (candidate_slope_missing, "b_c", "slope of the squashing"),
    (lambda *a: step_gradients(*a) | {"b_i": np.zeros(5)}, "b_i", "numbers are not"),
    (lambda *a: step_gradients(*a) | {"b_i": np.zeros(3)}, "b_i", "shape (3,)"),
]


@pytest.mark.parametrize(("answer", "entry", "words"), STEPS)
def test_backward_step_names_the_entry_and_the_mistake(answer, entry, words, capsys):
    line = verdict(capsys, lstm.check_lstm_step_gradients, answer)
    assert f". {entry}: " in line
    assert words in line


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
