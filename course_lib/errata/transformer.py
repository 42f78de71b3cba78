"""Lectures 10 and 10b: the Transformer, and three ways of processing a sequence."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.errata.evidence import (
    CONVENTION,
    attempt,
    decide,
    fresh,
    jacobian,
    numbers,
    sees,
)
from course_lib.models.attention import attention, causal_mask
from course_lib.models.positions import sinusoids
from course_lib.models.transformer import EncoderLayer


def every_decoder_layer_is_masked() -> str:
    """E31: the causal mask is the first sub-layer of every block, not of the first."""
    x, everything = numbers(1, 5, 8), np.ones((5, 5), bool)
    causal = np.tril(everything)
    first_only = sees(lambda rows: two_layers(rows, mask_second=False), x)
    in_both = sees(lambda rows: two_layers(rows, mask_second=True), x)
    what = "does output n depend on input m?"
    return decide(what, causal, first_only, in_both, bound=0)


def two_layers(rows: torch.Tensor, mask_second: bool) -> torch.Tensor:
    """Two causal layers on (N, 8), the second with or without its mask."""
    first, second = (fresh(lambda: EncoderLayer(8, 2, 16), seed) for seed in (1, 2))
    mask = causal_mask(len(rows))
    middle = first(rows[None], mask).output
    return second(middle, mask if mask_second else None).output[0]


def the_position_code_ends_with_a_cosine() -> str:
    """E32: indices 0, ..., 2I + 1 with I = d/2 - 1, so d numbers, not d - 1."""
    d = 8
    width, last = sinusoids(5, d).shape[1], d // 2 - 1
    printed, holds = len(range(2 * last + 1)), len(range(2 * last + 2))
    return decide("length of the code", width, printed, holds, bound=0)


def layer_norm_divides_by_the_mean_square() -> str:
    """E33: sigma^2 = (1/D) sum (h - mu)^2 + eps; without 1/D it is off by sqrt D."""
    h, D = numbers(2, 3, 16), 16
    truth = F.layer_norm(h, (D,))
    centred = h - h.mean(dim=1, keepdim=True)
    square = (centred**2).sum(dim=1, keepdim=True)
    without, with_mean = centred / square.sqrt(), centred / (square / D + 1e-5).sqrt()
    settled = decide("F.layer_norm", truth, without, with_mean)
    return f"{settled}; too small by a factor of {D**0.5:.0f}"


def eight_heads_fit_into_512() -> str:
    """E34: 6 + 6 blocks of width 512 with 8 heads of 64; six heads cannot share 512."""
    make = lambda H: fresh(lambda: nn.MultiheadAttention(512, H)).head_dim
    six, eight = attempt(lambda: make(6)), make(8)
    return decide("width of a head", 64, six, eight, bound=0)


def residuals_go_around_sub_layers() -> str:
    """E35: x + attention, then + feed-forward, each inside the block."""
    torchs = fresh(lambda: nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True))
    x = numbers(3, 1, 5, 8)
    read = lambda a: torchs.self_attn(a, a, a)[0]
    feed = lambda a: torchs.linear2(torch.relu(torchs.linear1(a)))
    inside = torchs.norm1(x + read(x))
    inside = torchs.norm2(inside + feed(inside))
    between = x + torchs.norm2(feed(torchs.norm1(read(x))))
    return decide("torch's encoder layer", torchs(x), between, inside)


def distance_costs_self_attention_nothing() -> str:
    """E37: a far input counts as a near one, and one layer finds it again."""
    rnn = fresh(lambda: nn.RNN(8, 8))
    ratios = [far_over_near(f) for f in (read_all, lambda rows: rnn(rows)[0])]
    level = [0.1 < ratio < 10 for ratio in ratios]
    what = "inputs 81 to 100 back within a factor of 10 of 1 to 20: attention, RNN?"
    settled = decide(what, level, [False, True], [True, False], bound=0)
    keys, stored = F.normalize(numbers(5, 1000, 64), dim=1), numbers(6, 1000, 3)
    found = attention(keys[:1], keys, stored, scale=100.0).output
    lost = torch.zeros_like(found)
    again = decide("the first of 1000, looked up", stored[:1], lost, found, bound=1e-9)
    return f"{settled}; {ratios[0]:.1f} and 10^{np.log10(ratios[1]):.0f} | {again}"


def read_all(rows: torch.Tensor) -> torch.Tensor:
    """Self-attention without parameters: the rows are queries, keys and values."""
    return attention(rows, rows, rows).output


def far_over_near(layer: Callable) -> float:
    """How the last output moves with inputs 81 to 100 back, over 1 to 20 back."""
    J = jacobian(lambda rows: layer(rows)[-1].sum(), numbers(4, 101, 8))
    size = J.norm(dim=1).flip(0)[1:]
    return (size[80:].mean() / size[:20].mean()).item()


def shifted_inputs_leave_no_row_empty() -> str:
    """E55: hide j > i after a shift by <sos>; j >= i would leave row 1 with nothing."""
    V, scores = numbers(5, 4, 3), numbers(6, 4, 4)
    rows = lambda hidden: scores.masked_fill(hidden, -torch.inf).softmax(-1) @ V
    position = torch.arange(4)
    later = position > position[:, None]
    not_before = position >= position[:, None]
    truth = F.scaled_dot_product_attention(
        torch.eye(4).double(), scores.T, V, is_causal=True, scale=1.0
    )
    return decide("output against torch", truth, rows(not_before), rows(later))


def a_recurrent_state_forgets_what_it_has_seen() -> str:
    """E60: h_T can see the whole sequence, but the influence of early inputs decays."""
    rnn, x = fresh(lambda: nn.RNN(4, 32)), numbers(7, 101, 4)
    J = jacobian(lambda rows: rnn(rows)[0][-1].sum(), x)
    size = J.norm(dim=1)
    ratio = (size[0] / size[-1]).item()
    assert ratio > 0  # reachable, which is all that was meant by "sees"
    return decide("influence of 100 steps ago, relative to now", 0.0, 1.0, ratio)


def a_one_dimensional_convolution_needs_a_line() -> str:
    """E73: nn.Conv1d takes (channels, length); a grid needs Conv2d, Conv3d, ..."""
    conv = fresh(lambda: nn.Conv1d(2, 3, 3))
    inputs = numbers(8, 1, 2, 7), numbers(9, 1, 2, 7, 7)
    works = [not isinstance(attempt(lambda a=a: conv(a)), Exception) for a in inputs]
    what = "does nn.Conv1d take a line, a grid?"
    return decide(what, works, [True, True], [True, False], bound=0)


def adding_is_a_special_case_of_joining() -> str:
    """E86: e + p = [1 1] [e; p]; joining alone doubles the width."""
    e, p = numbers(10, 5, 16), sinusoids(5, 16).double()
    joined = torch.cat([e, p], dim=1)
    both = torch.eye(16).double().repeat(1, 2)  # [1 1], (16, 32)
    return decide("e + p", e + p, joined, joined @ both.T, names=CONVENTION)
