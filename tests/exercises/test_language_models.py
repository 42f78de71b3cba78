"""Exercises of lecture 06: other right answers pass, mistakes are named."""

import math

import numpy as np
from exercise_cases import variants

from course_lib.exercises.language_models import EXERCISES, joins_compared, nucleus


def bits(p, tokens, per=None):
    total = sum(-math.log(q, 2) for q in p)
    return total / (per or len("".join(tokens)))


def long_run(A):
    values, vectors = np.linalg.eig(A.T)
    pi = vectors[:, np.argmax(values.real)].real
    return pi / pi.sum()


def row_entropies(A):
    return -(A * np.log(A)).sum(axis=1)


def entropy_rate(A):
    return long_run(A) @ row_entropies(A)


def softmax(s):
    return np.exp(s) / np.exp(s).sum()


def top_p(q, p, slack=1e-12, extra=0):
    """Take tokens from the top until the sum is reached."""
    kept, total = np.zeros_like(q), 0.0
    for token in sorted(range(len(q)), key=lambda i: -q[i]):
        if total >= p - slack:
            if not extra:
                break
            extra -= 1
        kept[token] = q[token]
        total += q[token]
    return kept / kept.sum()


def with_equals(q, p):
    """A threshold instead of a count: keeps too much where entries are equal."""
    falling = -np.sort(-q)
    last = falling[np.searchsorted(np.cumsum(falling), p - 1e-12)]
    return np.where(q >= last, q, 0) / q[q >= last].sum()


RIGHT = [
    (1, bits),
    (2, entropy_rate),
    (3, lambda s, t: softmax(s / t)),
    (3, lambda s, t: softmax(s) ** (1 / t) / (softmax(s) ** (1 / t)).sum()),
    (4, top_p),
]
WRONG = [
    (1, lambda p, tokens: bits(p, tokens, per=len(p)), "per token"),
    (1, lambda p, tokens: bits(p, tokens) * math.log(2), "in nats"),
    (1, lambda p, tokens: bits(p, tokens, per=1), "whole text"),
    (1, lambda p, tokens: 2 ** bits(p, tokens), "perplexity"),
    (1, lambda p, tokens: bits([np.mean(p)] * len(p), tokens), "of the mean"),
    (1, lambda p, tokens: -bits(p, tokens), "sign"),
    (1, lambda p, tokens: bits(p, [t.strip() for t in tokens]), "do not strip"),
    (2, lambda A: row_entropies(A).mean(), "weigh them"),
    (2, lambda A: row_entropies(long_run(A)[None])[0], "as if it had no past"),
    (2, lambda A: entropy_rate(A) / np.log(2), "in bits"),
    (2, lambda A: -entropy_rate(A), "sign is wrong"),
    (2, lambda A: (A @ A)[0] @ row_entropies(A), "high power"),
    (2, row_entropies, "weigh and add"),
    (2, lambda A: np.exp(entropy_rate(A)), "lowest perplexity"),
    (2, lambda A: A[0] @ row_entropies(A), "follows one symbol"),
    (
        2,
        lambda A: long_run(A) @ row_entropies(A.T / A.sum(axis=0)[:, None]),
        "Columns and rows",
    ),
    (3, lambda s, t: softmax(s * t), "divide."),
    (3, lambda s, t: softmax(s), "not used"),
    (3, lambda s, t: np.exp(s / t), "normalise"),
    (3, lambda s, t: softmax(s) / t, "before the softmax"),
    (3, lambda s, t: softmax(s) ** (1 / t), "divide by its sum"),
    (3, lambda s, t: softmax(softmax(s) / t), "twice"),
    (3, lambda s, t: s / t - np.logaddexp.reduce(s / t), "take the exponential"),
    (4, lambda q, p: top_p(q, p) * q[top_p(q, p) > 0].sum(), "Scale"),
    (4, lambda q, p: top_p(q, p, slack=-1e-12), "reached is enough"),
    (4, lambda q, p: top_p(q, p, extra=1), "One token too many"),
    (4, lambda q, p: np.where(np.cumsum(q) - q < p, q, 0), "expected"),
    (4, lambda q, p: top_p(q[::-1], p)[::-1], "earlier one comes first"),
    (4, with_equals, "equal to the last one"),
    (4, lambda q, p: top_p(q, p, slack=0), "allow for rounding"),
    (4, lambda q, p: -np.sort(-top_p(q, p)), "stay in its place"),
    (4, lambda q, p: q, "Nothing is cut"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_some_instances_of_top_p_are_reached_exactly_and_some_are_not():
    reached = []
    for q, p in EXERCISES[4].cases():
        sums = np.cumsum(np.sort(q)[::-1])
        reached.append(bool(np.isclose(sums, p, atol=1e-9).any()))
    assert 2 <= sum(reached) <= len(reached) - 2


def test_top_p_that_is_reached_exactly_keeps_no_more():
    kept = nucleus(np.array([0.2, 0.5, 0.1, 0.2]), 0.7)
    assert (kept > 0).sum() == 2


def test_of_equal_entries_top_p_keeps_the_earlier_ones():
    q = np.tile([0.02, 0.03, 0.05], 10)
    kept = np.flatnonzero(nucleus(q, 0.2))
    assert kept.tolist() == [2, 5, 8, 11]  # the first four of ten


def test_the_open_exercise_compares_vocabularies_per_letter():
    found = joins_compared((78, 128), order=2, letters=20_000)
    assert set(found) == {78, 128}
    assert found[128] < found[78] < math.log(78)
