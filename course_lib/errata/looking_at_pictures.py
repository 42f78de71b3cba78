"""Lecture 08b: looking at pictures, windows that move."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import numpy as np
import torch
from torch import nn

from course_lib.errata.attention import context, looker
from course_lib.errata.evidence import decide, fresh, numbers


def attention_to_a_grid_needs_no_order() -> str:
    """E61: any order of the cells gives the same context; nothing is sorted."""
    query, grid = numbers(1, 5), numbers(2, 9, 4)
    order = np.random.default_rng(3).permutation(9)
    layer, rnn = looker(), fresh(lambda: nn.RNN(4, 4))
    change = lambda f: (f(grid[order]) - f(grid)).abs().max().item()
    through_rnn = change(lambda rows: rnn(rows)[0][-1])
    attended = change(lambda rows: context(layer, query, rows))
    names = ("reordered for a recurrent network", "for attention")
    return decide("change of what was read", 0.0, through_rnn, attended, names=names)


def the_window_of_graves_only_moves_on() -> str:
    """E62: kappa_t = kappa_{t-1} + exp(.) never steps back, kappa = MLP(h) does."""
    raw = numbers(4, 40)
    steps_back = lambda k: int((k.diff() < 0).sum())
    kappa = raw.exp().cumsum(0)
    settled = decide("steps back", 0, steps_back(raw), steps_back(kappa), bound=0)
    phi = torch.exp(-((2 - torch.arange(1, 4)) ** 2))  # a = b = 1, kappa = 2
    assert abs(phi.sum() - 1) > 0.1
    return f"{settled}; and the weights add up to {phi.sum():.2f}, not to 1"


def in_draw_the_encoder_reads_and_the_decoder_writes() -> str:
    """E63: read feeds the encoder; with the same z the decoder needs no picture."""
    picture = numbers(11, 6)
    generated, _ = draw_run(None, decoder_reads=False)  # z from the prior, no picture
    by_encoder, states = draw_run(picture, decoder_reads=False)
    by_decoder, _ = draw_run(picture, decoder_reads=True)
    other = draw_run(-picture, decoder_reads=False)[1]
    assert (states - other).abs().max() > 0.01  # the encoder does see the picture
    what = "canvas with a picture against one without"
    return decide(what, generated, by_decoder, by_encoder)


def draw_run(
    picture: torch.Tensor | None, decoder_reads: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Three steps of a DRAW on a line of 6 pixels, z given: canvas, encoder states.

    Windows are soft weights around a place that the decoder's state chooses.
    """
    W_z, W_h, W_grid, W_ink = (numbers(5 + k, 4, 4) / 2 for k in range(4))
    W_read, z, places = numbers(9, 4, 6), numbers(10, 3, 4), torch.arange(6).double()
    window = lambda h: torch.softmax(-((places - 3 - (W_grid @ h)[0]) ** 2), dim=0)
    h, canvas, states = torch.zeros(4).double(), torch.zeros(6).double(), []
    for z_t in z:
        seen = torch.zeros(4).double()
        if picture is not None:
            seen = W_read @ (window(h) * (picture - canvas.sigmoid()))
            states.append(torch.tanh(seen + W_h @ h))  # the encoder, which gives q(z_t)
        h = torch.tanh(W_z @ z_t + W_h @ h + (seen if decoder_reads else 0))
        canvas = canvas + window(h) * (W_ink @ h).sum()
    return canvas, torch.stack(states) if states else torch.empty(0)


def one_softmax_covers_the_whole_grid() -> str:
    """E72: the weights of all cells (i, j) together add up to 1."""
    scores = numbers(12, 3, 3)
    total = 1.0  # a weighted mean: the weights add up to one
    joint = scores.flatten().softmax(0).sum()
    return decide("sum of the weights", total, scores.softmax(dim=1).sum(), joint)
