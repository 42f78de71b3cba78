"""The exercise checks of lecture 09: right, every named mistake, not attempted."""

import numpy as np
import pytest

from course_lib.exercises import attention as exercises

ALL = [
    exercises.check_context,
    exercises.check_additive_scores,
    exercises.check_masked_weights,
    exercises.check_centre,
    exercises.check_window_centres,
]


def verdict(capsys: pytest.CaptureFixture, check, answer) -> str:
    check(answer)
    return capsys.readouterr().out.strip()


def soft(e, axis=-1):
    return np.exp(e) / np.exp(e).sum(axis=axis, keepdims=True)


@pytest.mark.parametrize("check", ALL, ids=lambda c: c.__name__)
def test_an_open_exercise_is_not_attempted(capsys, check):
    assert verdict(capsys, check, lambda *_: None).endswith(": not attempted yet")
    assert verdict(capsys, check, lambda *_: ...).endswith(": not attempted yet")


@pytest.mark.parametrize("check", ALL, ids=lambda c: c.__name__)
def test_a_wrong_answer_of_no_known_kind_is_still_wrong(capsys, check):
    assert "not yet" in verdict(capsys, check, lambda *_: -123.0)
    assert "raised ZeroDivisionError" in verdict(capsys, check, lambda *_: 1 / 0)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda e, f: sum(a * row for a, row in zip(soft(e), f, strict=True)), "right"),
        (lambda e, f: e @ f, "not weights yet"),
        (lambda e, f: np.exp(e) @ f, "division by the sum"),
        (lambda e, f: e / e.sum() @ f, "takes exp first"),
        (lambda e, f: soft(e)[:, None] * f, "add them up"),
        (lambda e, f: f[e.argmax()], "no gradient"),
        (lambda e, f: f.mean(0), "plain mean"),
        (lambda e, f: soft(e), "Those are the weights"),
    ],
)
def test_context(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_context, answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (
            lambda s, f, Q, K, w: [w @ np.tanh(Q @ s + K @ row) for row in f],
            "right",
        ),
        (lambda s, f, Q, K, w: (Q @ s + f @ K.T) @ w, "tanh is missing"),
        (lambda s, f, Q, K, w: np.tanh(f @ K.T) @ w, "query is not used"),
        (
            lambda s, f, Q, K, w: (np.tanh(Q @ s) + np.tanh(f @ K.T)) @ w,
            "add first",
        ),
        (lambda s, f, Q, K, w: [w @ np.tanh(Q @ s)] * 5, "features are not used"),
        (
            lambda s, f, Q, K, w: soft(np.tanh(Q @ s + f @ K.T) @ w),
            "weights already",
        ),
        (lambda s, f, Q, K, w: np.tanh(Q @ s + f @ K.T), "w is missing"),
    ],
)
def test_additive_scores(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_additive_scores, answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda e, m: soft(np.where(m, e, -1e9)), "right"),
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
)
def test_masked_weights(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_masked_weights, answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda a, p: ((a * p).sum(), (a * p[:, None]).sum()), "right"),
        (lambda a, p: ((a * p[:, None]).sum(), (a * p).sum()), "exchanged"),
        (
            lambda a, p: p[list(np.unravel_index(a.argmax(), a.shape))[::-1]],
            "largest weight",
        ),
        (lambda a, p: (p.mean(), p.mean()), "weights are not used"),
        (lambda a, p: (a.sum(0) @ range(4), a.sum(1) @ range(4)), "the indices"),
    ],
)
def test_centre(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_centre, answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda raw: [np.exp(raw[: t + 1]).sum() for t in range(5)], "right"),
        (lambda raw: np.cumsum(raw), "exp is missing"),
        (lambda raw: np.exp(raw), "steps add up"),
        (lambda raw: np.exp(np.cumsum(raw)), "added first"),
        (lambda raw: raw, "no place"),
        (lambda raw: [np.exp(raw[:t]).sum() for t in range(5)], "first step counts"),
    ],
)
def test_window_centres(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_window_centres, answer)
