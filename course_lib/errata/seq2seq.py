"""Encoder and decoder, search."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import itertools
import math

import numpy as np
import torch
from torch import nn

from course_lib.errata.evidence import (
    CONVENTION,
    decide,
    fresh,
    jacobian,
    numbers,
)


def the_objective_needs_the_words_before() -> str:
    """E24: the best sentence maximises sum log p(y_t | y_<t, x), with the words before.

    Two steps, three words: a begins more often, but b knows how to go on.
    """
    first = np.array([0.6, 0.4, 0.0])
    after = np.array([[0.34, 0.33, 0.33], [0.9, 0.05, 0.05], [1.0, 0.0, 0.0]])
    joint = first[:, None] * after  # all nine sentences
    by_position = joint.sum(1).argmax(), joint.sum(0).argmax()
    chain = lambda y: first[y[0]] * after[y]
    best = max(itertools.product(range(3), repeat=2), key=chain)
    found = joint[by_position], joint[best]
    return decide("probability of the sentence found", joint.max(), *found)


def the_decoder_carries_its_own_state() -> str:
    """E25: s_t = g(y_{t-1}, s_{t-1}, c); with h_{t-1} nothing is handed on."""
    cell, y, h = fresh(lambda: nn.RNNCell(4, 4)), numbers(4, 3, 4), numbers(5, 3, 4)
    W, U, b = cell.weight_hh, cell.weight_ih, cell.bias_ih + cell.bias_hh

    def library(s: torch.Tensor) -> torch.Tensor:
        for y_t in y:
            s = cell(y_t, s)
        return s

    def written(s: torch.Tensor, own: bool) -> torch.Tensor:
        for t in range(3):
            s = torch.tanh(W @ (s if own else h[t]) + U @ y[t] + b)
        return s

    s_0 = numbers(6, 4)
    J = [jacobian(lambda s, own=own: written(s, own), s_0) for own in (False, True)]
    return decide("ds_3/ds_0 against nn.RNNCell", jacobian(library, s_0), *J)


def best_loss(given: np.ndarray, wanted: np.ndarray, V: int) -> float:
    """Cross-entropy of the best possible predictor of `wanted` from `given`."""
    joint = np.zeros((V, V))
    np.add.at(joint, (given, wanted), 1 / len(given))
    row = joint.sum(axis=1, keepdims=True)
    seen = joint > 0
    return float(-(joint[seen] * np.log((joint / row)[seen])).sum())


def the_decoder_reads_the_word_before() -> str:
    """E46: to predict y_l it is given y_{l-1}; given y_l it copies the answer.

    Words drawn evenly at random cannot be predicted: the honest best loss is log V.
    """
    V = 6
    y = np.random.default_rng(7).integers(0, V, 60_001)
    leak, honest = best_loss(y[1:], y[1:], V), best_loss(y[:-1], y[1:], V)
    return decide("best loss", math.log(V), leak, honest, bound=1e-2)


def an_end_symbol_makes_one_distribution() -> str:
    """E47: without <eos> every length has total probability 1, so all have infinity."""
    p = numbers(8, 3).softmax(0).numpy()  # three words, drawn independently
    weigh = lambda n: sum(
        math.prod(p[list(y)]) for y in itertools.product(range(3), repeat=n)
    )
    no_end = sum(weigh(n) for n in (1, 2, 3))
    end = 0.2  # with it: n words that are not the end, then the end
    with_end = sum(
        (1 - end) ** n * end * (weigh(n) if n < 5 else 1) for n in range(200)
    )
    return decide("total probability", 1.0, no_end, with_end)


def meteor_needs_a_reference() -> str:
    """E48: a metric of finished text compares with a reference, which a search has not.

    METEOR's core, 10 P R / (R + 9 P) on matched words. That G-Eval is a judgement by a
    language model and not a density is a fact, with a reference (Liu et al. 2023).
    """

    def match(candidate: str, reference: str) -> float:
        got, wanted = candidate.split(), reference.split()
        common = sum(min(got.count(w), wanted.count(w)) for w in set(wanted))
        P, R = common / len(got), common / len(wanted)
        return 10 * P * R / (R + 9 * P) if common else 0.0

    same_output = "the cat sleeps"
    scores = [match(same_output, r) for r in ("the cat sleeps", "a tomcat is asleep")]
    one_number = scores[0] == scores[1]  # what a criterion of (x, y) alone would give
    settled = decide("one number for one output?", one_number, True, False, bound=0)
    return f"{settled}; two references give {scores[0]:.0f} and {scores[1]:.0f}"


def teacher_forcing_means_the_true_word_always() -> str:
    """E77: only p = 1 gives log p(y); a mixture with p < 1 is scheduled sampling."""
    W, y = numbers(9, 7, 7), np.random.default_rng(10).integers(0, 7, 40)
    log_p = W.log_softmax(dim=1).numpy()  # log p(y_t | y_{t-1}); word 0 starts
    truth = sum(log_p[a, b] for a, b in zip([0, *y[:-1]], y, strict=True))

    def mixed(p: float) -> float:
        rng, word, total = np.random.default_rng(11), 0, 0.0
        for goal in y:
            total += log_p[word, goal]
            word = goal if rng.random() < p else log_p[word].argmax()
        return total

    names = ("with p = 0.5", "with p = 1")
    return decide("log p(y)", truth, mixed(0.5), mixed(1.0), names=names)


def four_ways_hand_over_the_summary() -> str:
    """E84: v as first state, through a map, as first input, or at every step too."""
    cell, words, v = fresh(lambda: nn.RNNCell(4, 4)), numbers(12, 3, 4), numbers(13, 4)
    M, zero, one = numbers(14, 4, 4), torch.zeros(4, 4).double(), torch.eye(4).double()

    def write(state: torch.Tensor, added: torch.Tensor | float = 0.0) -> torch.Tensor:
        for word in words:
            state = cell(word + added, state)
        return state

    as_state = write(v)
    as_input = write(cell(v, torch.zeros(4).double()))
    assert (as_input - as_state).abs().max() > 0.01
    mapped = write(M @ v), write(one @ v)  # a map M, and the map 1
    added = write(v, M @ v), write(v, zero @ v)  # at every step, and times 0
    second = decide("through a map", as_state, *mapped, names=CONVENTION)
    fourth = decide("at every step", as_state, *added, names=CONVENTION)
    return f"{second} | {fourth}"
