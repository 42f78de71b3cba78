"""The exercise checks of lecture 08: right, every named mistake, not attempted."""

import numpy as np
from exercise_cases import by_check, exercise_tests

from course_lib.exercises import attention as ex


def soft(e, axis=-1):
    return np.exp(e) / np.exp(e).sum(axis=axis, keepdims=True)


RIGHT = [
    (
        ex.check_context,
        lambda e, f: sum(a * row for a, row in zip(soft(e), f, strict=True)),
    ),
    (
        ex.check_additive_scores,
        lambda s, f, Q, K, w: [w @ np.tanh(Q @ s + K @ row) for row in f],
    ),
    (ex.check_masked_weights, lambda e, m: soft(np.where(m, e, -1e9))),
    (ex.check_centre, lambda a, p: ((a * p).sum(), (a * p[:, None]).sum())),
    (
        ex.check_window_centres,
        lambda raw: [np.exp(raw[: t + 1]).sum() for t in range(5)],
    ),
]


WRONG = {
    ex.check_context: [
        (lambda e, f: e @ f, "not weights yet"),
        (lambda e, f: np.exp(e) @ f, "division by the sum"),
        (lambda e, f: e / e.sum() @ f, "takes exp first"),
        (lambda e, f: soft(e)[:, None] * f, "add them up"),
        (lambda e, f: f[e.argmax()], "no gradient"),
        (lambda e, f: f.mean(0), "plain mean"),
        (lambda e, f: soft(e), "Those are the weights"),
    ],
    ex.check_additive_scores: [
        (lambda s, f, Q, K, w: (Q @ s + f @ K.T) @ w, "tanh is missing"),
        (lambda s, f, Q, K, w: np.tanh(f @ K.T) @ w, "query is not used"),
        (lambda s, f, Q, K, w: (np.tanh(Q @ s) + np.tanh(f @ K.T)) @ w, "add first"),
        (lambda s, f, Q, K, w: [w @ np.tanh(Q @ s)] * 5, "features are not used"),
        (lambda s, f, Q, K, w: soft(np.tanh(Q @ s + f @ K.T) @ w), "weights already"),
        (lambda s, f, Q, K, w: np.tanh(Q @ s + f @ K.T), "w is missing"),
    ],
    ex.check_masked_weights: [
        (lambda e, m: soft(e), "mask is not used"),
        (lambda e, m: soft(e) * m, "after the softmax"),
        (lambda e, m: soft(np.where(m, e, 0)), "exp(0) = 1"),
        (lambda e, m: soft(np.where(m, e, -1e9), 0), "over the batch"),
        (lambda e, m: np.exp(e) * m / (np.exp(e) * m).sum(), "whole array"),
        (
            lambda e, m: (
                np.exp(e) * ~m / np.maximum((np.exp(e) * ~m).sum(1), 1e-9)[:, None]
            ),
            "wrong way round",
        ),
    ],
    ex.check_centre: [
        (lambda a, p: ((a * p[:, None]).sum(), (a * p).sum()), "exchanged"),
        (
            lambda a, p: p[list(np.unravel_index(a.argmax(), a.shape))[::-1]],
            "largest weight",
        ),
        (lambda a, p: (p.mean(), p.mean()), "weights are not used"),
        (lambda a, p: (a.sum(0) @ range(4), a.sum(1) @ range(4)), "the indices"),
    ],
    ex.check_window_centres: [
        (lambda raw: np.cumsum(raw), "exp is missing"),
        (lambda raw: np.exp(raw), "steps add up"),
        (lambda raw: np.exp(np.cumsum(raw)), "added first"),
        (lambda raw: raw, "no place"),
        (lambda raw: [np.exp(raw[:t]).sum() for t in range(5)], "first step counts"),
    ],
}


test_right, test_wrong, test_open = exercise_tests(RIGHT, by_check(WRONG))
