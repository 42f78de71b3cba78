"""The exercise checks of lecture 07: right, every named mistake, not attempted."""

import numpy as np
import pytest

from course_lib.exercises import seq2seq as exercises

ALL = [
    exercises.check_decoder_inputs,
    exercises.check_sentence_log_p,
    exercises.check_beam_step,
    exercises.check_distance,
    exercises.check_best_normalised,
]


def verdict(capsys: pytest.CaptureFixture, check, answer) -> str:
    check(answer)
    return capsys.readouterr().out.strip()


@pytest.mark.parametrize("check", ALL, ids=lambda c: c.__name__)
def test_an_open_exercise_is_not_attempted(capsys, check):
    assert verdict(capsys, check, lambda *_: None).endswith(": not attempted yet")
    assert verdict(capsys, check, lambda *_: ...).endswith(": not attempted yet")


@pytest.mark.parametrize("check", ALL, ids=lambda c: c.__name__)
def test_an_error_in_the_answer_is_shown_not_raised(capsys, check):
    assert "raised ZeroDivisionError" in verdict(capsys, check, lambda *_: 1 / 0)


@pytest.mark.parametrize("check", ALL, ids=lambda c: c.__name__)
def test_a_wrong_answer_of_no_known_kind_is_still_wrong(capsys, check):
    assert "not yet" in verdict(capsys, check, lambda *_: -123.0)


def column(number, rows=3):
    return np.full((rows, 1), number)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda y, sos: np.concatenate([column(sos), y[:, :-1]], 1), "right"),
        (lambda y, sos: y, "given the answer"),
        (lambda y, sos: np.concatenate([column(sos), y], 1), "one step too many"),
        (lambda y, sos: np.concatenate([y[:, 1:], column(0)], 1), "word after"),
        (lambda y, sos: np.roll(y, 1, axis=1), "rolled"),
        (lambda y, sos: np.concatenate([column(0), y[:, :-1]], 1), "not <pad>"),
    ],
)
def test_decoder_inputs(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_decoder_inputs, answer)


def up_to(log_p, words, end):
    return [log_p[t, w] for t, w in enumerate(words[:end])]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda p, w: sum(up_to(p, w, list(w).index(2) + 1)), "right"),
        (lambda p, w: sum(up_to(p, w, None)), "padding"),
        (lambda p, w: sum(up_to(p, w, 3)), "<eos> is missing"),
        (lambda p, w: np.mean(up_to(p, w, 4)), "mean per word"),
        (lambda p, w: np.exp(sum(up_to(p, w, 4))), "logarithm was asked"),
        (lambda p, w: np.prod(up_to(p, w, 4)), "multiplied"),
        (lambda p, w: -sum(up_to(p, w, 4)), "sign"),
        (lambda p, w: p[:4].max(axis=1).sum(), "not the words given"),
    ],
)
def test_sentence_log_p(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_sentence_log_p, answer)


def ranked(score, width):
    entries = [(-s, k, v) for (k, v), s in np.ndenumerate(score)]
    return [(k, v) for _, k, v in sorted(entries)[:width]]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda t, p, k: ranked(t[:, None] + p, k), "right"),
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
)
def test_beam_step(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_beam_step, answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda T, j, i, r: (j - 1 if r else T - j) + i, "right"),
        (lambda T, j, i, r: T - j + i, "`reverse` is not used"),
        (lambda T, j, i, r: (j if r else T - j) + i, "not T - j: one step less"),
        (lambda T, j, i, r: j - 1 if r else T - j, "decoder steps are missing"),
        (lambda T, j, i, r: (j - 1 if r else T - j) + i - 1, "not i - 1"),
        (lambda T, j, i, r: (j if r else T - j + 1) + i, "not T - j + 1"),
        (lambda T, j, i, r: (T - j if r else j - 1) + i, "exchanged"),
    ],
)
def test_distance(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_distance, answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda p, n, a: (p / n**a).argmax(), "right"),
        (lambda p, n, a: p.argmax(), "length is not used"),
        (lambda p, n, a: (p / n).argmax(), "alpha is not used"),
        (lambda p, n, a: (p / n**a).argmin(), "nearest to 0"),
    ],
)
def test_best_normalised(capsys, answer, says):
    assert says in verdict(capsys, exercises.check_best_normalised, answer)
