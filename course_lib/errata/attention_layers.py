"""Lecture 09: the attention layer, its root, its masks, its heads and its cost."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.errata.evidence import (
    CONVENTION,
    attempt,
    decide,
    fresh,
    numbers,
)
from course_lib.models.attention import attention, from_torch

Q, K, V = numbers(1, 3, 7), numbers(2, 5, 7), numbers(3, 5, 4)


def the_root_stands_inside_the_softmax() -> str:
    """E28: softmax(q K^T / sqrt d); outside, a row adds up to 1 / sqrt d."""
    truth = F.scaled_dot_product_attention(Q, K, V)
    outside = (Q @ K.T).softmax(dim=-1) / 7**0.5
    inside = (Q @ K.T / 7**0.5).softmax(dim=-1)
    settled = decide("output against torch", truth, outside @ V, inside @ V)
    return f"{settled}; a row of the printed form adds up to {outside[0].sum():.2f}"


def the_root_is_not_optional() -> str:
    """E29: E = Q K^T without the root is another layer, with larger weights."""
    truth = F.scaled_dot_product_attention(Q, K, V)
    without, with_root = (attention(Q, K, V, scale=s).output for s in (1.0, 7**-0.5))
    return decide("output against torch", truth, without, with_root)


def the_scores_do_not_grow_with_the_width() -> str:
    """E30: time N^2 d; memory N^2 + N d, where the large part has no d in it."""
    N, held = 128, []
    for d in (16, 32):
        q, k, v = numbers(13, 3, N, d)
        scores = q @ k.T
        held.append(scores.numel() + (scores.softmax(dim=-1) @ v).numel())
    predicted = (N * N + N * 32) / (N * N + N * 16)
    what = f"memory for twice the width, times {predicted:.2f}"
    return decide(what, held[1] / held[0], 2.0, predicted)


def constant_vectors_do_not_give_the_root() -> str:
    """E51: a.b = a b d for constant vectors; over sqrt d it still grows like sqrt d."""
    widths = (16, 64, 256, 1024)
    score = [float(np.full(d, 0.7) @ np.full(d, 0.7)) / d**0.5 for d in widths]
    printed = np.full(4, score[0])  # "divided by the root it no longer grows"
    holds = 0.49 * np.sqrt(widths)
    return decide("scores over sqrt d, up to d = 1024", score, printed, holds)


def the_variance_argument_needs_mean_zero() -> str:
    """E52: Var(q.k) = d for mean 0 and variance 1; with mean 1 it is 3 d."""
    q, k = numbers(4, 20_000, 16) + 1, numbers(5, 20_000, 16) + 1
    measured = (q * k).sum(dim=1).var().item() / 16
    return decide("Var / d with mean 1", measured, 1.0, 3.0, bound=0.15, at_least=1)


def self_attention_shares_inputs_not_keys() -> str:
    """E53: K = Q would make the scores symmetric; W_q and W_k are different maps."""
    mha = fresh(lambda: nn.MultiheadAttention(8, 1, bias=False, batch_first=True))
    x = 3 * numbers(6, 1, 5, 8)
    truth = mha(x, x, x)[1][0]
    W_q, W_k, _ = mha.in_proj_weight.chunk(3)
    looks = [attention(x @ W_q.T, x @ W.T, x).weights for W in (W_q, W_k)]
    shared, own = (weights[0] for weights in looks if weights is not None)
    scores = (x @ W_q.T) @ (x @ W_q.T).mT
    assert (scores - scores.mT).abs().max() < 1e-12  # the cat as much as the dog
    return decide("weights against torch", truth, shared, own)


def keys_and_values_are_not_parameters() -> str:
    """E54: the projections are, 4 d^2 + 4 d numbers for any length."""
    d, N = 64, 1000
    layer = fresh(lambda: nn.MultiheadAttention(d, 4))
    counted = sum(p.numel() for p in layer.parameters())
    what, holds = f"parameters, {N} words", 4 * d**2 + 4 * d
    return decide(what, counted, 2 * N * d, holds, bound=0)


def keys_and_values_are_shuffled_too() -> str:
    """E56: f(PX) = P f(X) needs that a joint shuffle of K and V changes nothing."""
    x, order = numbers(7, 5, 7), torch.tensor([3, 0, 4, 1, 2])
    self_attention = lambda rows: attention(rows, rows, rows).output
    truth = self_attention(x[order])
    keys_only = attention(x[order], x[order], x).output  # half the argument
    joint = attention(x, x[order], x[order]).output[order]
    names = ("values left where they were", "keys and values together")
    return decide("f(PX)", truth, keys_only, joint, names=names)


def softmax_runs_along_the_last_axis() -> str:
    """E59: dim=1 is right for one matrix; in a batch axis 1 is the queries."""
    scores = numbers(8, 2, 3, 5)
    along = lambda dim: scores.softmax(dim=dim).sum(-1)
    return decide("row sums", torch.ones(2, 3), along(1), along(-1))


def inside_a_head_the_root_is_that_of_the_head() -> str:
    """E70: sqrt(d / H), because a head's score has d / H terms."""
    mha, x = (
        fresh(lambda: nn.MultiheadAttention(8, 2, batch_first=True)),
        numbers(9, 1, 5, 8),
    )
    truth = mha(x, x, x, average_attn_weights=False)[1]
    ours = fresh(lambda: from_torch(mha))
    q, k = ours.split(F.linear(x, ours.W_q, ours.b_q)), ours.keys_values(x)[0]
    weights = lambda width: (q @ k.mT / width**0.5).softmax(dim=-1)
    return decide("weights against torch", truth, weights(8), weights(4))


def inputs_as_keys_need_the_width_of_the_query() -> str:
    """E71: Q X^T exists for d_x = d_q only; with W_k any d_x will do."""
    X, W_k = numbers(10, 5, 4), numbers(11, 7, 4)
    truth = torch.stack([torch.stack([q @ (W_k @ x) for x in X]) for q in Q])
    return decide("scores", truth, attempt(lambda: Q @ X.T), Q @ (X @ W_k.T).T)


def the_query_is_what_the_searcher_types() -> str:
    """E76: the phrase is the query, titles are keys, the video is the value."""
    titles = ["deep learning course", "giant sea turtles", "best of basketball"]
    count = lambda a, b: len(set(a.split()) & set(b.split()))
    found = lambda query: int(np.argmax([count(query, t) for t in titles]))
    wanted = 0  # who types "deep learning" wants the course
    by_title, by_phrase = found(titles[1]), found("deep learning")
    return decide("number of the video found", wanted, by_title, by_phrase, bound=0)


def torch_masks_in_two_opposite_ways() -> str:
    """E89: True means look in F.scaled_dot_product_attention, hide in the module."""
    mha, x = fresh(lambda: nn.MultiheadAttention(4, 1, bias=False)), numbers(12, 5, 4)
    with torch.no_grad():
        mha.in_proj_weight.copy_(torch.eye(4).repeat(3, 1))
        mha.out_proj.weight.copy_(torch.eye(4))
    look = (torch.arange(5) < 3).expand(5, 5)  # the last two are padding
    truth = F.scaled_dot_product_attention(x, x, x, attn_mask=look)
    module = lambda mask: mha(x, x, x, attn_mask=mask)[0]
    what = "output against scaled_dot_product_attention"
    return decide(what, truth, module(look), module(~look), names=CONVENTION)
