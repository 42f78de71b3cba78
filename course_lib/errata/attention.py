"""Lecture 08: a decoder that looks back."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import numpy as np
import torch
from torch import nn

from course_lib.errata.evidence import CONVENTION, decide, fresh, numbers, sees
from course_lib.models.additive import AdditiveAttention


def looker() -> AdditiveAttention:
    """Additive attention of a query of width 5 to features of width 4."""
    return fresh(lambda: AdditiveAttention(d_q=5, d_f=4, d_a=7))


def context(
    layer: AdditiveAttention, query: torch.Tensor, features: torch.Tensor
) -> torch.Tensor:
    """The weighted mean of the features (T, 4), as one vector."""
    return layer(query[None], layer.look_at(features[None]))[0][0]


def query_before_or_after_the_step() -> str:
    """E83: Bahdanau asks with s_{t-1} before the step, Luong with s_t after it.

    A Luong decoder that is fed its last context has the same states; without, others.
    """
    layer, cell = looker(), fresh(lambda: nn.RNNCell(3 + 4, 5))
    features, words = numbers(13, 6, 4), numbers(14, 3, 3)
    look = lambda s: context(layer, s, features)

    def bahdanau(s: torch.Tensor) -> torch.Tensor:
        for word in words:
            s = cell(torch.cat([word, look(s)]), s)
        return s

    def luong(s: torch.Tensor, feeding: bool) -> torch.Tensor:
        last = look(s)
        for word in words:
            s = cell(torch.cat([word, last if feeding else 0 * last]), s)
            last = look(s)  # joined to s for the read-out, which is left out here
        return s

    s_0 = numbers(15, 5)
    stands, translated = luong(s_0, feeding=False), luong(s_0, feeding=True)
    truth = bahdanau(s_0)
    return decide("last state", truth, stands, translated, names=CONVENTION)


def the_paper_reads_the_source_both_ways() -> str:
    """E85: Bahdanau's annotations come from both directions and see all words."""
    x, everything = numbers(15, 6, 3), np.ones((6, 6), bool)
    layers = [fresh(lambda b=b: nn.GRU(3, 5, bidirectional=b)) for b in (False, True)]
    one_way, both_ways = (sees(lambda r, m=m: m(r)[0], x) for m in layers)
    what = "does annotation t see word t'?"
    return decide(what, everything, one_way, both_ways, bound=0, names=CONVENTION)
