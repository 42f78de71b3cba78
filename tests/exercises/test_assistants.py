"""Exercises of lecture 12b: other right answers pass, mistakes are named."""

import numpy as np
import torch
from exercise_cases import variants
from torch import nn

from course_lib.exercises.assistants import EXERCISES, best_of


def counted_by_pieces(tokens, assistant, end):
    found, rest = [], list(tokens)
    while assistant in rest:
        first = rest.index(assistant) + 1
        last = rest.index(end, first) + 1
        found += [False] * first + [True] * (last - first)
        rest = rest[last:]
    return found + [False] * len(rest)


def counted_parameters(shapes, rank):
    """The outside truth: layers of torch."""
    pairs = [
        (nn.Linear(d_in, rank, bias=False), nn.Linear(rank, d_out, bias=False))
        for d_out, d_in in shapes
    ]
    return sum(p.numel() for two in pairs for m in two for p in m.parameters())


def by_eigenvectors(change, rank):
    """The outside truth: project on the eigenvectors of change change^T."""
    _, vectors = np.linalg.eigh(change @ change.T)
    B = vectors[:, -rank:]
    return B, B.T @ change


def dpo_by_hand(chosen, refused, ref_chosen, ref_refused, beta):
    ratio = (chosen - refused).exp() / (ref_chosen - ref_refused).exp()
    return (1 + ratio ** (-beta)).log().mean()


def rounded_one_by_one(W, bits, size):
    found, top = W.copy(), 2 ** (bits - 1) - 1
    for row in range(W.shape[0]):
        for start in range(0, W.shape[1], size):
            part = slice(start, start + size)
            s = max(abs(w) for w in W[row, part]) / top
            found[row, part] = [s * int(np.rint(w / s)) for w in W[row, part]]
    return found


def by_the_closed_form(alpha, gamma):
    return (1 - alpha ** (gamma + 1)) / (1 - alpha)


def with_both(change, rank):
    u, s, vt = svd(change)
    return u[:, :rank] * s[:rank], s[:rank, None] * vt[:rank]


RIGHT = [
    (1, counted_by_pieces),
    (2, counted_parameters),
    (3, by_eigenvectors),
    (4, dpo_by_hand),
    (6, rounded_one_by_one),
    (7, by_the_closed_form),
]
svd = np.linalg.svd
dpo_sigmoid = nn.LogSigmoid()
WRONG = [
    (1, lambda t, a, e: [n > t.index(a) for n in range(len(t))], "After <end>"),
    (1, lambda t, a, e: [not x for x in counted_by_pieces(t, a, e)], "other way"),
    (1, lambda t, a, e: counted_by_pieces(t, a, e)[1:] + [False], "one too early"),
    (1, lambda t, a, e: [True] * len(t), "expected"),
    (1, lambda t, a, e: [token > e for token in t], "where they stand"),
    (2, lambda shapes, rank: counted_parameters(shapes[:1], rank), "of its own"),
    (
        4,
        lambda c, r, rc, rr, beta: (
            dpo_sigmoid(beta * (r - rr)) - dpo_sigmoid(beta * (c - rc))
        ).mean(),
        "One sigmoid",
    ),
    (7, lambda alpha, gamma: gamma * alpha, "own chance"),
    (7, lambda alpha, gamma: sum(k * alpha**k for k in range(1, gamma + 1)), "factor"),
    (2, lambda shapes, rank: sum(a * b for a, b in shapes), "only B and A"),
    (1, lambda t, a, e: [t.index(a) < n <= t.index(e) for n in range(len(t))], "turns"),
    (2, lambda shapes, rank: rank * sum(b for _, b in shapes), "both count"),
    (2, lambda shapes, rank: rank * sum(np.prod(s) for s in shapes), "added"),
    (3, lambda c, rank: (svd(c)[0][:, :rank], svd(c)[2][:rank]), "singular values"),
    (3, lambda c, rank: (c, np.eye(c.shape[1])), "shapes are wrong"),
    (
        3,
        lambda c, rank: tuple(part.T for part in by_eigenvectors(c, rank))[::-1],
        "places",
    ),
    (3, with_both, "in B and in A"),
    (3, lambda c, rank: (c[:, :rank], np.eye(rank, c.shape[1])), "can do"),
    (4, lambda c, r, rc, rr, beta: dpo_by_hand(r, c, rr, rc, beta), "turned round"),
    (
        4,
        lambda c, r, rc, rr, beta: dpo_by_hand(c, r, 0 * rc, 0 * rr, beta),
        "reference",
    ),
    (4, lambda c, r, rc, rr, beta: dpo_by_hand(c, r, rc, rr, 1.0), "beta is missing"),
    (4, lambda c, r, rc, rr, beta: dpo_by_hand(c, r, rr, rc, beta), "changed places"),
    (4, lambda *given: -dpo_by_hand(*given), "minus"),
    (4, lambda c, r, rc, rr, beta: dpo_by_hand(c, -r, rc, -rr, beta), "not added"),
    (4, lambda *given: dpo_by_hand(*given) / np.log(2), "natural"),
    (
        4,
        lambda c, r, rc, rr, b: torch.log1p(torch.exp(-b * (c - rc - r + rr))),
        "One number",
    ),
    (6, lambda W, bits, size: rounded_one_by_one(W, bits, W.shape[1]), "each row"),
    (
        6,
        lambda W, bits, size: (
            rounded_one_by_one(W, bits, size)
            / np.repeat(abs(W.reshape(-1, size)).max(1), size).reshape(W.shape)
            * (2 ** (bits - 1) - 1)
        ),
        "whole numbers",
    ),
    (6, lambda W, bits, size: W, "expected"),
    (7, lambda alpha, gamma: 1 + alpha * gamma, "powers"),
    (7, lambda alpha, gamma: by_the_closed_form(alpha, gamma - 1), "one more token"),
    (7, lambda alpha, gamma: 1 / (1 - alpha), "without end"),
    (7, lambda alpha, gamma: gamma + 1, "expected"),
]


test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_best_of_n_has_the_distribution_of_drawing_n():
    ref, proxy = torch.tensor([0.5, 0.3, 0.2]).double(), torch.tensor([1.0, 3.0, 2.0])
    exact = best_of(ref, proxy, 3)
    assert exact.sum().item() == 1
    draws = torch.multinomial(ref, 60_000, True, generator=torch.Generator())
    best = draws.view(-1, 3).gather(1, proxy[draws.view(-1, 3)].argmax(1, True))
    shares = torch.bincount(best[:, 0], minlength=3) / len(best)
    assert (shares - exact).abs().max() < 0.015
