"""Exercises of lecture 07: encoder and decoder, and how to search."""

import numpy as np
from numpy.random import Generator

from course_lib import running_task
from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.seq2seq import Seq2Seq
from course_lib.seeds import set_seed

PAD, SOS, EOS = 0, 1, 2


def decoder_inputs(target: np.ndarray, sos: int) -> np.ndarray:
    """<sos> in front, the last column off: the token before, at every step."""
    start = np.full_like(target[:, :1], sos)
    return np.concatenate([start, target[:, :-1]], axis=1)


def padded_targets(rng: Generator) -> tuple:
    """Three sentences, the longest of them without padding."""
    width = int(rng.integers(4, 7))
    target = np.zeros((3, width), dtype=int)
    for row, length in zip(target, (width - 1, 1, width - 2), strict=True):
        row[:length], row[length] = rng.integers(3, 10, length), EOS
    return target, SOS


INPUT_MISTAKES = {
    "That is the target itself: the decoder would be given the answer.": (
        lambda target, sos: target
    ),
    "You put <sos> in front but kept the last column: one step too many.": (
        lambda target, sos: np.insert(target, 0, sos, axis=1)
    ),
    "You shifted the other way: that is the token after, not before.": (
        lambda target, sos: np.pad(target[:, 1:], ((0, 0), (0, 1)))
    ),
    "You rolled the last column to the front: the longest row starts with <eos>.": (
        lambda target, sos: np.roll(target, 1, axis=1)
    ),
    "The first input must be <sos> (number 1), not <pad>.": (
        lambda target, sos: decoder_inputs(target, PAD)
    ),
}


def sentence_log_p(log_p: np.ndarray, tokens: np.ndarray) -> float:
    """The sum of log p(token) up to and including <eos>."""
    end = list(tokens).index(EOS) + 1
    return log_p[np.arange(end), tokens[:end]].sum()


def log_p_and_tokens(rng: Generator) -> tuple:
    T, V, words = 5, 6, int(rng.integers(1, 5))  # 4: no room for padding
    scores = rng.standard_normal((T, V))
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    tokens = np.zeros(T, dtype=int)
    tokens[:words], tokens[words] = rng.integers(3, V, words), EOS
    return log_p, tokens


def _each(log_p: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    return log_p[np.arange(len(tokens)), tokens]


LOG_P_MISTAKES = {
    "You added the padding too: nothing counts after <eos>.": (
        lambda log_p, tokens: _each(log_p, tokens).sum()
    ),
    "<eos> is missing: that the sentence ends here has a price as well.": (
        lambda log_p, tokens: _each(log_p, tokens)[: list(tokens).index(EOS)].sum()
    ),
    "A sentence that fills its row has no padding: look for <eos>, not for a 0.": (
        lambda log_p, tokens: _each(log_p, tokens)[: np.argmax(tokens == PAD)].sum()
    ),
    "That is the mean per token; the probabilities multiply, the logs add.": (
        lambda log_p, tokens: (
            sentence_log_p(log_p, tokens) / (list(tokens).index(EOS) + 1)
        )
    ),
    "That is a probability; the logarithm was asked for.": (
        lambda log_p, tokens: np.exp(sentence_log_p(log_p, tokens))
    ),
    "You multiplied the logarithms; add them.": (
        lambda log_p, tokens: _each(log_p, tokens)[: list(tokens).index(EOS) + 1].prod()
    ),
    "The sign is wrong: that is the loss.": (
        lambda log_p, tokens: -sentence_log_p(log_p, tokens)
    ),
    "You read the row before: row t of log_p is the one for token t.": (
        lambda log_p, tokens: sum(
            log_p[t - 1, w] for t, w in enumerate(tokens) if w != PAD
        )
    ),
    "You took the best token at every step, not the tokens given.": (
        lambda log_p, tokens: log_p.max(axis=1)[: list(tokens).index(EOS) + 1].sum()
    ),
}


def distance(T: int, j: int, i: int, reverse: bool) -> int:
    """Steps from reading x_j to the end of the source, then i steps of the decoder."""
    return (j - 1 if reverse else T - j) + i


def places(rng: Generator) -> tuple:
    T = int(rng.integers(5, 12))
    return T, int(rng.integers(2, T)), int(rng.integers(1, 9)), bool(rng.integers(2))


DISTANCE_MISTAKES = {
    "Both directions are exchanged.": lambda T, j, i, r: distance(T, j, i, not r),
    "The steps of the decoder are missing.": lambda T, j, i, r: distance(T, j, 0, r),
    "One too many: at the step that reads x_j the state knows it already.": (
        lambda T, j, i, r: distance(T, j, i, r) + 1
    ),
    "One too few: s_0 is the encoder's last state, so s_i is i steps after it.": (
        lambda T, j, i, r: distance(T, j, i, r) - 1
    ),
    "One too many in reverse: x_1 is read last, no step before the end.": (
        lambda T, j, i, r: distance(T, j, i, r) + r
    ),
    "One too many forwards: x_T is read last, no step before the end.": (
        lambda T, j, i, r: distance(T, j, i, r) + (not r)
    ),
    "The encoder's steps do not matter in what you return.": lambda T, j, i, r: i,
}


def beam_step(totals: np.ndarray, log_p: np.ndarray, width: int) -> list:
    """All K V sums, the `width` largest, as (prefix, token)."""
    sums = totals[:, None] + log_p
    best = np.argsort(-sums, axis=None)[:width]
    return np.stack(np.unravel_index(best, sums.shape), axis=1).tolist()


def prefixes(rng: Generator) -> tuple:
    K, V = int(rng.integers(2, 4)), int(rng.integers(4, 6))
    scores = 2 * rng.standard_normal((K, V))
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return -2 * rng.random(K), log_p, K + int(rng.choice([-1, 1, 2]))


def _pairs(score: np.ndarray, width: int) -> list:
    best = np.argsort(-score, axis=None)[:width]
    return np.stack(np.unravel_index(best, score.shape), axis=1).tolist()


BEAM_MISTAKES = {
    "The width is not used: you kept as many pairs as there are prefixes.": (
        lambda t, p, k: beam_step(t, p, len(t))
    ),
    "Prefixes in one array, tokens in another: make pairs of them, by zip or stack.": (
        lambda t, p, k: np.transpose(beam_step(t, p, k))
    ),
    "The totals of the prefixes are not used.": lambda t, p, k: _pairs(p, k),
    "Logarithms add; you multiplied.": lambda t, p, k: _pairs(t[:, None] * p, k),
    "Those are the worst: argsort sorts upwards.": (
        lambda t, p, k: _pairs(-(t[:, None] + p), k)
    ),
    "The right ones, but the best has to come first.": (
        lambda t, p, k: beam_step(t, p, k)[::-1]
    ),
    "You kept the best continuation of each prefix. All of them compete.": (
        lambda t, p, k: [[n, int(row.argmax())] for n, row in enumerate(p)][:k]
    ),
    "You kept one continuation of each prefix; two of the best may share a prefix.": (
        lambda t, p, k: sorted(
            ([n, int(row.argmax())] for n, row in enumerate(p)),
            key=lambda pair: -t[pair[0]] - p[pair[0], pair[1]],
        )[:k]
    ),
    "Those are places in the flattened array: make pairs of them, with divmod by V.": (
        lambda t, p, k: np.argsort(-(t[:, None] + p), axis=None)[:k]
    ),
    "Divide the flat place by V, the length of a row, not by the number of prefixes.": (
        lambda t, p, k: [
            list(divmod(int(place), len(t)))
            for place in np.argsort(-(t[:, None] + p), axis=None)[:k]
        ]
    ),
    "You ranked the prefixes first, then the tokens of each. All sums compete.": (
        lambda t, p, k: [
            [int(n), int(v)] for n in np.argsort(-t) for v in np.argsort(-p[n])
        ][:k]
    ),
    "(token, prefix) instead of (prefix, token).": (
        lambda t, p, k: [pair[::-1] for pair in beam_step(t, p, k)]
    ),
}


def best_normalised(log_p: np.ndarray, length: np.ndarray, alpha: float) -> int:
    """The largest log p / length^alpha."""
    return int(np.argmax(log_p / length**alpha))


def finished(rng: Generator) -> tuple:
    """Sentences that have four winners, with the exponents 0, -alpha, alpha and 1."""
    while True:
        length = rng.permutation(np.arange(2, 14))[:5]
        log_p, alpha = -rng.uniform(0.2, 1.2, 5) * length, float(rng.uniform(0.4, 1.8))
        winners = {int(np.argmax(log_p / length**a)) for a in (0, -alpha, alpha, 1.0)}
        if len(winners) == 4:
            return log_p, length, alpha


NORMALISED_MISTAKES = {
    "That sentence is the worst, and its log-probability is multiplied.": (
        lambda p, n, a: int(np.argmin(p * n**a))
    ),
    "Without the length: short sentences win.": lambda p, n, a: int(np.argmax(p)),
    "The exponent is not used: that divides by the length itself.": (
        lambda p, n, a: int(np.argmax(p / n))
    ),
    "You multiplied by the length instead of dividing.": (
        lambda p, n, a: int(np.argmax(p * n**a))
    ),
    "That is the worst: log-probabilities are negative, the best is the largest.": (
        lambda p, n, a: int(np.argmin(p / n**a))
    ),
    "The score of the winner was returned, not its number.": (
        lambda p, n, a: np.max(p / n**a)
    ),
}


def how_wide(widths: tuple = (16, 32, 64, 128), seeds: tuple = (0, 1)) -> dict:
    """Only d_h changes; pairs, steps, rate, seeds and the encoder's order stay.

    A wider state has more parameters, so the table of results must say how many: what
    is gained may come from them. A fair second run gives the narrow model more steps
    until it has had as many seconds. Look at every length, not at the mean alone: if
    the width of v is what limits, the longest sentences gain most. Measured once:

        d_h   parameters   seen lengths (%)   13 or 14 tokens (%)   longer (%)
         16       10,307   0, 0               0, 0                  0, 0
         32       21,619   7, 10              0, 0                  0, 0
         64       56,531   41, 39             2, 6                  0, 0
        128      175,507   82, 87             55, 59                1, 1

    So in the same 700 steps a wider v carries far more, the longest sentences gain
    much, and beyond the lengths of the training width alone buys next to nothing. What
    this does not show: whether it is v or the other parameters, for there are three
    times as many, and whether the narrow model would get there with more steps.
    """
    data, found = running_task.load(), {}
    for d_h in widths:
        found[d_h] = []
        for seed in seeds:
            set_seed(seed)
            model = Seq2Seq(len(data.english), len(data.french), 32, d_h)
            name = f"plain LSTM, width {d_h}"
            found[d_h].append(running_task.trained("07", name, model, seed=seed)[0])
    return found


EXERCISES = Exercises(
    "seq2seq",
    Exercise(1, "*", sentence_log_p, log_p_and_tokens, LOG_P_MISTAKES),
    Exercise(2, "*", decoder_inputs, padded_targets, INPUT_MISTAKES),
    Exercise(3, "*", distance, places, DISTANCE_MISTAKES),
    Exercise(4, "**", beam_step, prefixes, BEAM_MISTAKES),
    Exercise(5, "*", best_normalised, finished, NORMALISED_MISTAKES),
    Exercise(6, "***", how_wide),
)
check, solution = EXERCISES.check, EXERCISES.solution
