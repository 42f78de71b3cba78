"""The exercise checks of lecture 05: right, every named mistake, not attempted."""

import numpy as np
import torch
from exercise_cases import by_check, exercise_tests
from torch import nn

from course_lib.exercises import gru as ex


def coupled_loop(f, candidate, steps):
    c = 0.0
    for _ in range(steps):
        c = f * c + (1 - f) * candidate
    return c


def standard_loop(f, candidate, steps, i=None):
    c = 0.0
    for _ in range(steps):
        c = f * c + (f if i is None else i) * candidate
    return c


def gru_by_torch(x, h, W_x, W_h, b_x, b_h, order="rzn"):
    """The outside truth: torch's own cell, with the blocks in the given order."""
    cell = nn.GRUCell(x.shape[1], h.shape[1], dtype=torch.float64)
    index = [order.index(block) for block in "rzn"]
    put = lambda a: torch.tensor(  # noqa: E731
        np.concatenate([np.split(a, 3)[k] for k in index])
    )
    cell.weight_ih.data, cell.weight_hh.data = put(W_x), put(W_h)
    cell.bias_ih.data, cell.bias_hh.data = put(b_x), put(b_h)
    return cell(torch.tensor(x), torch.tensor(h)).detach().numpy()


def gru_flipped(x, h, W_x, W_h, b_x, b_h):
    d = h.shape[1]
    new = gru_by_torch(x, h, W_x, W_h, b_x, b_h)
    z = 1 / (1 + np.exp(-(x @ W_x.T + b_x + h @ W_h.T + b_h)[:, d : 2 * d]))
    n = (new - z * h) / (1 - z)
    return (1 - z) * h + z * n


def gru_reset_first(x, h, W_x, W_h, b_x, b_h, inside=False):
    d = h.shape[1]
    a = x @ W_x.T + b_x + h @ W_h.T + b_h
    r, z = np.split(1 / (1 + np.exp(-a[:, : 2 * d])), 2, axis=1)
    W, b = W_h[2 * d :], b_h[2 * d :]
    recurrent = r * (h @ W.T) if inside else (r * h) @ W.T
    n = np.tanh((x @ W_x.T + b_x)[:, 2 * d :] + recurrent + b)
    return (1 - z) * n + z * h


def gru_of_the_course(x, h, W_x, W_h, b_x, b_h):
    d = h.shape[1]
    z = 1 / (1 + np.exp(-(x @ W_x.T + b_x + h @ W_h.T + b_h)[:, d : 2 * d]))
    n = (gru_reset_first(x, h, W_x, W_h, b_x, b_h) - z * h) / (1 - z)
    return (1 - z) * h + z * n


def count(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def flip_by_index(x, lengths):
    t = np.arange(x.shape[1])
    source = np.where(t < lengths[:, None], lengths[:, None] - 1 - t, t)
    return np.take_along_axis(x, source[..., None], axis=1)


def seen(directions, t, T, own=1):
    back = {"backward", "both"} & set(directions)
    forth = {"forward", "both"} & set(directions)
    return (1 if forth else t + 1 - own, T if back else t)


RIGHT = [
    (ex.check_coupled_count, coupled_loop),
    (ex.check_torch_gru_step, gru_by_torch),
    (
        ex.check_bilstm_parameters,
        lambda x, h, n: count(nn.LSTM(x, h, n, bidirectional=True)),
    ),
    (ex.check_wavefront_rounds, lambda n, t: t + n - 1),
    (ex.check_flip_within_lengths, flip_by_index),
    (ex.check_first_and_last_seen, seen),
]


WRONG = {
    ex.check_coupled_count: [
        (standard_loop, "standard LSTM"),
        (lambda f, x, n: standard_loop(f, x, n, i=1), "in full"),
        (lambda f, x, n: coupled_loop(f, x, n - 1), "too few"),
        (lambda f, x, n: coupled_loop(f, x, n + 1), "too many"),
        (lambda f, x, n: f**n * x, "old"),
        (lambda f, x, n: 1 - f**n, "candidate is missing"),
    ],
    ex.check_torch_gru_step: [
        (gru_flipped, "z is the other way round: in torch"),
        (gru_reset_first, "r acts before the product; torch"),
        (gru_of_the_course, "z is the other way round, and r"),
        (lambda *a: gru_by_torch(*a, order="zrn"), "you read z, r, n"),
        (lambda *a: gru_by_torch(*a, order="nzr"), "candidate first"),
        (lambda *a: gru_reset_first(*a, inside=True), "inside the bracket"),
    ],
    ex.check_bilstm_parameters: [
        (lambda x, h, n: 2 * count(nn.LSTM(x, h, n)), "the concatenation: 2 d_h wide"),
        (lambda x, h, n: count(nn.LSTM(x, h, n)), "one direction"),
        (
            lambda x, h, n: count(nn.LSTM(x, h, n, bidirectional=True)) - n * 2 * 4 * h,
            "you counted one",
        ),
        (
            lambda x, h, n: count(nn.LSTM(x, h, n, bidirectional=True, bias=False)),
            "biases are missing",
        ),
        (lambda x, h, n: count(nn.GRU(x, h, n, bidirectional=True)), "a GRU"),
        (
            lambda x, h, n: n * count(nn.LSTM(x, h, bidirectional=True)),
            "only layer 1 reads x",
        ),
    ],
    ex.check_wavefront_rounds: [
        (lambda n, t: n * t, "one cell after the other"),
        (lambda n, t: n + t, "One too many"),
        (lambda n, t: t, "starts late"),
    ],
    ex.check_flip_within_lengths: [
        (lambda x, lengths: x[:, ::-1], "padding to the front"),
        (lambda x, lengths: x[::-1], "batch axis"),
        (lambda x, lengths: x[:, :, ::-1], "features"),
        (lambda x, lengths: x, "Nothing is reversed"),
    ],
    ex.check_first_and_last_seen: [
        (lambda d, t, T: seen(d, t, T, own=0), "A backward layer sees its own"),
        (
            lambda d, t, T: (1, t - 1) if set(d) == {"forward"} else seen(d, t, T),
            "A forward layer sees its own",
        ),
        (lambda d, t, T: seen(d[-1:], t, T), "completes the view"),
        (lambda d, t, T: (1, T), "Only the mixture"),
    ],
}


test_right, test_wrong, test_open = exercise_tests(RIGHT, by_check(WRONG))
