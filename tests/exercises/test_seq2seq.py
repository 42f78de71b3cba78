"""The exercise checks of lecture 07: right, every named mistake, not attempted."""

import numpy as np
from exercise_cases import by_check, exercise_tests

from course_lib.exercises import seq2seq as ex


def column(number, rows=3):
    return np.full((rows, 1), number)


def up_to(log_p, words, end):
    return [log_p[t, w] for t, w in enumerate(words[:end])]


def ranked(score, width):
    entries = [(-s, k, v) for (k, v), s in np.ndenumerate(score)]
    return [(k, v) for _, k, v in sorted(entries)[:width]]


RIGHT = [
    (
        ex.check_decoder_inputs,
        lambda y, sos: np.concatenate([column(sos), y[:, :-1]], 1),
    ),
    (ex.check_sentence_log_p, lambda p, w: sum(up_to(p, w, list(w).index(2) + 1))),
    (ex.check_beam_step, lambda t, p, k: ranked(t[:, None] + p, k)),
    (ex.check_distance, lambda T, j, i, r: (j - 1 if r else T - j) + i),
    (ex.check_best_normalised, lambda p, n, a: (p / n**a).argmax()),
]


WRONG = {
    ex.check_decoder_inputs: [
        (lambda y, sos: y, "given the answer"),
        (lambda y, sos: np.concatenate([column(sos), y], 1), "one step too many"),
        (lambda y, sos: np.concatenate([y[:, 1:], column(0)], 1), "word after"),
        (lambda y, sos: np.roll(y, 1, axis=1), "rolled"),
        (lambda y, sos: np.concatenate([column(0), y[:, :-1]], 1), "not <pad>"),
    ],
    ex.check_sentence_log_p: [
        (lambda p, w: sum(up_to(p, w, None)), "padding"),
        (lambda p, w: sum(up_to(p, w, 3)), "<eos> is missing"),
        (lambda p, w: np.mean(up_to(p, w, 4)), "mean per word"),
        (lambda p, w: np.exp(sum(up_to(p, w, 4))), "logarithm was asked"),
        (lambda p, w: np.prod(up_to(p, w, 4)), "multiplied"),
        (lambda p, w: -sum(up_to(p, w, 4)), "sign"),
        (lambda p, w: p[:4].max(axis=1).sum(), "not the words given"),
    ],
    ex.check_beam_step: [
        (lambda t, p, k: ranked(p, k), "totals are not used"),
        (lambda t, p, k: [(i, p[i].argmax()) for i in range(k)], "one child of every"),
        (
            lambda t, p, k: [
                (i, p[i].argmax()) for i in np.argsort(-(t + p.max(axis=1)))
            ],
            "One child of every",
        ),
        (lambda t, p, k: ranked(t[:, None] + p, k)[::-1], "worst first"),
        (lambda t, p, k: ranked(t[:, None] * p, k), "you multiplied"),
        (lambda t, p, k: [(v, i) for i, v in ranked(t[:, None] + p, k)], "exchanged"),
        (lambda t, p, k: ranked(-t[:, None] - p, k), "three worst"),
    ],
    ex.check_distance: [
        (lambda T, j, i, r: T - j + i, "`reverse` is not used"),
        (lambda T, j, i, r: (j if r else T - j) + i, "not T - j: one step less"),
        (lambda T, j, i, r: j - 1 if r else T - j, "decoder steps are missing"),
        (lambda T, j, i, r: (j - 1 if r else T - j) + i - 1, "not i - 1"),
        (lambda T, j, i, r: (j if r else T - j + 1) + i, "not T - j + 1"),
        (lambda T, j, i, r: (T - j if r else j - 1) + i, "exchanged"),
    ],
    ex.check_best_normalised: [
        (lambda p, n, a: p.argmax(), "length is not used"),
        (lambda p, n, a: (p / n).argmax(), "alpha is not used"),
        (lambda p, n, a: (p / n**a).argmin(), "nearest to 0"),
    ],
}


test_right, test_wrong, test_open = exercise_tests(RIGHT, by_check(WRONG))
