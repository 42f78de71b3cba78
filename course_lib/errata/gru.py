"""Lectures 05 and 05b: relatives of the LSTM, the GRU's conventions, directions."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from course_lib.errata.evidence import CONVENTION, confirm, decide, fresh, numbers, sees
from course_lib.numpy_cells import (
    CoupledWeights,
    GRUWeights,
    LSTMWeights,
    PeepholeWeights,
    coupled_forward,
    gru_forward,
    lstm_forward,
    peephole_forward,
)
from course_lib.numpy_cells.arrays import sigmoid
from course_lib.numpy_cells.torch_weights import from_torch

D_X, D_H = 3, 5


def backwards(module: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """The states of a network that reads x (T, d) from the last row to the first."""
    return module(x.flip(0))[0].flip(0)


def the_backward_state_sees_its_own_input() -> str:
    """E11: forward t' <= t, backward t' >= t: both include t."""
    lstm, x = fresh(lambda: nn.LSTM(D_X, D_H)), numbers(1, 6, D_X)
    seen = sees(lambda rows: backwards(lstm, rows), x)
    everything = np.ones((6, 6), bool)
    later_only, from_here_on = np.triu(everything, 1), np.triu(everything)
    settled = decide("who sees whom", seen, later_only, from_here_on, bound=0)
    return f"{settled} (the diagonal)"


def the_gru_candidate_is_a_tanh() -> str:
    """E21: with a sigmoid a state that starts at 0 could never become negative."""
    gru, x = fresh(lambda: nn.GRU(D_X, D_H)), 2 * numbers(2, 200, D_X)
    weights = from_torch(gru)
    b_inner = np.asarray(weights.b_inner)

    def run(squash: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        h, states = np.zeros(D_H), []
        for x_t in x.numpy():
            a_h, a_z, a_r = np.split(weights.W_x @ x_t + weights.b_h, 3)
            u_h, u_z, u_r = np.split(weights.W_h @ h, 3)
            z, r = sigmoid(a_z + u_z), sigmoid(a_r + u_r)
            h = z * h + (1 - z) * squash(a_h + r * (u_h + b_inner))
            states.append(h)
        return np.array(states)

    printed = run(sigmoid)
    low = f"lowest state {printed.min():.2f} with sigma, {gru(x)[0].min():.2f} in torch"
    return f"{decide('states of nn.GRU', gru(x)[0], printed, run(np.tanh))}; {low}"


def coupled_gates_save_a_quarter_and_cannot_count() -> str:
    """E44: three blocks for four, and |c| <= 1; "worse" is a matter of the task.

    That it performs worse is not a fact: Greff et al. (2017) found no significant loss,
    and lecture 05 measures both a task where it is as good and one where it is not.
    """
    count = lambda w: w.W_x.size + w.W_h.size + w.b_h.size
    rng = np.random.default_rng(0)
    standard = LSTMWeights.init(rng, D_X, D_H)
    coupled = CoupledWeights.init(rng, D_X, D_H)
    share = confirm("3/4 of the parameters:", count(coupled) / count(standard), 3 / 4)
    steady = np.ones((1, 50, D_X))
    for name in ("f", "c_tilde"):
        standard, coupled = standard.with_bias(name, 9), coupled.with_bias(name, 9)
    summed = lstm_forward(standard.with_bias("i", 9), steady)[1][1]
    kept = coupled_forward(coupled, steady)[1][1]
    assert summed.max() > 40
    assert np.abs(kept).max() <= 1
    return f"{share}; c_50 above 40 in the LSTM, at most 1 here"


def a_gru_multiplies_less_which_is_not_a_time() -> str:
    """E45: 3/4 of the LSTM's multiply-adds; the clock depends on who wrote the loop.

    In a step every entry of a weight matrix is multiplied once.
    """
    gru, lstm = (fresh(lambda k=kind: k(D_X, D_H)) for kind in (nn.GRU, nn.LSTM))
    entries = lambda m: m.weight_ih_l0.numel() + m.weight_hh_l0.numel()
    what = "3/4 of the LSTM's multiply-adds:"
    settled = confirm(what, entries(gru) / entries(lstm), 3 / 4)
    return f"{settled}; seconds are not asserted"


def common_peepholes_are_diagonal() -> str:
    """E80: vectors p, not matrices; f and i see c_{t-1}, o sees the new c_t."""
    weights = PeepholeWeights.init(np.random.default_rng(1), D_X, D_H)
    x = numbers(4, 1, D_X).numpy()
    c_0, h_0 = numbers(5, D_H).numpy(), numbers(6, D_H).numpy()
    truth = peephole_forward(weights, x[None], h_0[None], c_0[None])[0][0, 0]
    a_g, a_f, a_i, a_o = np.split(
        weights.W_x @ x[0] + weights.W_h @ h_0 + weights.b_h, 4
    )

    def hidden(P: np.ndarray, new_cell_for_o: bool) -> np.ndarray:
        P_f, P_i, P_o = P
        f, i = sigmoid(a_f + P_f @ c_0), sigmoid(a_i + P_i @ c_0)
        c = f * c_0 + i * np.tanh(a_g)
        return sigmoid(a_o + P_o @ (c if new_cell_for_o else c_0)) * np.tanh(c)

    full = numbers(7, 3, D_H, D_H).numpy()
    diagonal = np.stack([np.diag(p) for p in (weights.p_f, weights.p_i, weights.p_o)])
    stands, translated = hidden(full, False), hidden(diagonal, True)
    settled = decide("hidden state", truth, stands, translated, names=CONVENTION)
    return f"{settled}; {full.size} numbers in matrices, {3 * D_H} in vectors"


def the_update_gate_may_keep_or_replace() -> str:
    """E81: (1-z) h + z h~ is u h + (1-u) h~ with u = 1 - z: negate the rows of z."""
    x = numbers(8, 2, 7, D_X).numpy()
    w = GRUWeights.init(np.random.default_rng(2), D_X, D_H)
    truth, _ = gru_forward(w, x, flipped=True)
    sign = np.ones((3 * D_H, 1))
    sign[w.rows("z")] = -1  # sigma(-a) = 1 - sigma(a)
    turned = GRUWeights(w.W_x * sign, w.W_h * sign, w.b_h * sign[:, 0])
    as_it_stands, translated = gru_forward(w, x)[0], gru_forward(turned, x)[0]
    return decide("states", truth, as_it_stands, translated, names=CONVENTION)


def torch_resets_after_the_product() -> str:
    """E82: W (r * h) and r * (W h) are different functions; nn.GRU has the second."""
    gru, x = fresh(lambda: nn.GRU(D_X, D_H, batch_first=True)), numbers(9, 2, 7, D_X)
    w = from_torch(gru)
    merged = np.concatenate([np.asarray(w.b_inner), np.zeros(2 * D_H)])
    before = GRUWeights(w.W_x, w.W_h, w.b_h + merged)
    as_it_stands, _ = gru_forward(before, x.numpy(), flipped=True)
    translated, _ = gru_forward(w, x.numpy(), flipped=True, reset_after=True)
    truth = gru(x)[0]
    return decide("states of nn.GRU", truth, as_it_stands, translated, names=CONVENTION)


def torch_means_a_parallel_pair() -> str:
    """E88: bidirectional=True joins two networks; an alternating stack is another."""
    both, x = fresh(lambda: nn.LSTM(D_X, D_H, bidirectional=True)), numbers(10, 6, D_X)
    up, down, above = (fresh(lambda d=d: nn.LSTM(d, D_H)) for d in (D_X, D_X, D_H))
    with torch.no_grad():
        for name, value in up.named_parameters():
            value.copy_(getattr(both, name))
            getattr(down, name).copy_(getattr(both, f"{name}_reverse"))
    pair = torch.cat([up(x)[0], backwards(down, x)], dim=1)
    alternating = lambda rows: backwards(above, up(rows)[0])
    assert sees(alternating, x).all()  # both architectures see everything
    truth = both(x)[0]
    return decide("states of nn.LSTM", truth, alternating(x), pair, names=CONVENTION)
