"""Bugs in attention: five programs as they should be, and what acquits them."""

import math

import torch
from numpy.random import Generator
from torch import Tensor

from course_lib.exercises.silent_bugs.properties import (
    apart,
    recognised,
    sums_to_one,
    tensor,
)


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Each query's weights sum to one over the keys: the last axis of the scores."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # (B, N, M)
    return torch.softmax(scores, dim=-1) @ v


def queries_keys_values(rng: Generator) -> tuple:
    B, N, M, d, e = (int(n) for n in rng.permutation([2, 3, 5, 7, 11]))
    v = tensor(rng, B, M, e)
    v[:, :, 0] = 1  # its average is 1, however it is weighted
    return tensor(rng, B, N, d), tensor(rng, B, M, d), v


def attention_fault(got: Tensor, q: Tensor, k: Tensor, v: Tensor) -> str:
    if got.shape != (*q.shape[:2], v.shape[2]):
        return f"The output has shape {tuple(got.shape)}."
    averages = got[:, :, 0].flatten()
    average = averages[(averages - 1).abs().argmax()].item()
    if abs(average - 1) > 1e-5:
        return f"The first number of every value is 1; their average is {average:.2f}."
    root = math.sqrt(q.shape[-1])
    scaled = {  # attention divides by the root: undo it, or divide once more
        "The scores are not divided by the root of d.": attention(root * q, k, v),
        "The scores are divided by d, not by its root.": attention(q / root, k, v),
    }
    return recognised(got, scaled) or apart(got, attention(q, k, v))


def padded_weights(scores: Tensor, is_padding: Tensor) -> Tensor:
    """Padding is what must not be seen: it gets the score minus infinity."""
    hidden = scores.masked_fill(is_padding[:, None, :], -math.inf)
    return torch.softmax(hidden, dim=-1)


def scores_and_padding(rng: Generator) -> tuple:
    lengths = torch.tensor(rng.integers(1, 5, size=3))
    return tensor(rng, 3, 2, 5), torch.arange(5) >= lengths[:, None]


def padded_fault(got: Tensor, scores: Tensor, is_padding: Tensor) -> str:
    seen = (got * is_padding[:, None, :]).sum(-1).max()
    if seen > 1e-6:
        share = f"{seen:.2f}" if seen > 0.005 else f"{seen:.0e}"
        return f"A query gives {share} of its weight to padding."
    return sums_to_one(got) or apart(got, padded_weights(scores, is_padding))


def causal_weights(scores: Tensor) -> Tensor:
    """Row t sees the keys 0, ..., t: what is hidden begins one above the diagonal."""
    T = scores.shape[-1]
    later = torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)
    return torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)


def square_scores(rng: Generator) -> tuple:
    T = int(rng.integers(3, 8))
    return (tensor(rng, 2, T, T),)


def causal_fault(got: Tensor, scores: Tensor) -> str:
    if got.isnan().any():
        return sums_to_one(got)
    if got.triu(diagonal=1).abs().max() > 1e-6:
        return "A position looks at a later one."
    if (got.diagonal(dim1=-2, dim2=-1) < 1e-9).any():
        return "A position does not see itself."
    return sums_to_one(got) or apart(got, causal_weights(scores))


def split_heads(x: Tensor, heads: int) -> Tensor:
    """(B, T, d) -> (B, H, T, d/H): cut the last axis, then move the new one forward."""
    B, T, d = x.shape
    return x.view(B, T, heads, d // heads).transpose(1, 2)


def rows_and_heads(rng: Generator) -> tuple:
    heads = int(rng.choice([2, 3]))
    return tensor(rng, 2, int(rng.choice([3, 5])), heads * 2), heads


def heads_fault(got: Tensor, x: Tensor, heads: int) -> str:
    B, T, d = x.shape
    if got.shape != (B, heads, T, d // heads):
        return f"The shape is {tuple(got.shape)}, not {(B, heads, T, d // heads)}."
    for t in range(T):
        if set(got[0, :, t].flatten().tolist()) != set(x[0, t].tolist()):
            return f"Position {t} of the heads holds numbers of other positions."
    if not torch.equal(got[0, 0], x[0, :, : d // heads]):
        return (
            "Every position has kept its numbers, but head 0 should hold the first "
            f"{d // heads} of them, head 1 the next {d // heads}."
        )
    return apart(got, split_heads(x, heads))


def rotated(x: Tensor, start: int) -> Tensor:
    """Rotary positions of a piece of text that begins at position `start`."""
    T, d = x.shape[-2:]
    rates = 10_000.0 ** (-torch.arange(0, d, 2) / d)
    angles = (start + torch.arange(T))[:, None] * rates  # (T, d/2)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = even * angles.cos() - odd * angles.sin()
    lifted = even * angles.sin() + odd * angles.cos()
    return torch.stack([turned, lifted], dim=-1).flatten(-2)


def piece_of_text(rng: Generator) -> tuple:
    return tensor(rng, 2, 3, 4), int(rng.integers(1, 20))


def rotated_fault(got: Tensor, x: Tensor, start: int) -> str:
    if got.shape != x.shape:
        return f"The shape is {tuple(got.shape)}, not {tuple(x.shape)}."
    if not torch.allclose(got.norm(dim=-1), x.norm(dim=-1), atol=1e-4):
        return "A rotation keeps the length of a vector. This one does not."
    if torch.allclose(got, rotated(x, 0), atol=1e-5):
        return "With a cache, the piece is turned as if it stood at the beginning."
    if wrong := apart(got, rotated(x, start)):
        return f"The rows stand at {start}, {start + 1}, {start + 2}. {wrong}"
    return ""
