"""Exercises of lecture 07: other right answers pass, mistakes are named."""

import numpy as np
from exercise_cases import variants

from course_lib.exercises.seq2seq import EXERCISES, how_wide


def column(number, rows=3):
    return np.full((rows, 1), number)


def up_to(log_p, tokens, end):
    return [log_p[t, w] for t, w in enumerate(tokens[:end])]


def end_of(tokens):
    return list(tokens).index(2) + 1


def ranked(score, width):
    entries = [(-s, k, v) for (k, v), s in np.ndenumerate(score)]
    return [(k, v) for _, k, v in sorted(entries)[:width]]


RIGHT = [
    (1, lambda p, w: sum(up_to(p, w, end_of(w)))),
    (2, lambda y, sos: np.concatenate([column(sos), y[:, :-1]], 1)),
    (2, lambda y, sos: np.array([[sos, *row[:-1]] for row in y])),
    (3, lambda T, j, i, r: (j - 1 if r else T - j) + i),
    (4, lambda t, p, k: ranked(t[:, None] + p, k)),
    (4, lambda t, p, k: np.array(ranked(t[:, None] + p, k))),
    (5, lambda p, n, a: (p / n**a).argmax()),
]
WRONG = [
    (1, lambda p, w: sum(up_to(p, w, None)), "padding"),
    (1, lambda p, w: sum(up_to(p, w, end_of(w) - 1)), "<eos> is missing"),
    (1, lambda p, w: np.mean(up_to(p, w, end_of(w))), "mean per token"),
    (1, lambda p, w: sum(up_to(p, w, (w == 0).argmax())), "fills its row"),
    (1, lambda p, w: np.exp(sum(up_to(p, w, end_of(w)))), "a probability"),
    (1, lambda p, w: np.prod(up_to(p, w, end_of(w))), "multiplied"),
    (1, lambda p, w: -sum(up_to(p, w, end_of(w))), "the loss"),
    (1, lambda p, w: sum(up_to(np.roll(p, 1, axis=0), w, end_of(w))), "row before"),
    (1, lambda p, w: p.max(axis=1)[: end_of(w)].sum(), "best token"),
    (2, lambda y, sos: y, "given the answer"),
    (2, lambda y, sos: np.concatenate([column(sos), y], 1), "one step too many"),
    (2, lambda y, sos: np.concatenate([y[:, 1:], column(0)], 1), "token after"),
    (2, lambda y, sos: np.roll(y, 1, axis=1), "rolled"),
    (2, lambda y, sos: np.concatenate([column(0), y[:, :-1]], 1), "not <pad>"),
    (3, lambda T, j, i, r: (T - j if r else j - 1) + i, "exchanged"),
    (3, lambda T, j, i, r: j - 1 if r else T - j, "decoder are missing"),
    (3, lambda T, j, i, r: (j if r else T - j + 1) + i, "too many"),
    (3, lambda T, j, i, r: (j - 1 if r else T - j) + i - 1, "too few"),
    (3, lambda T, j, i, r: (j if r else T - j) + i, "too many in reverse"),
    (3, lambda T, j, i, r: (j - 1 if r else T - j + 1) + i, "too many forwards"),
    (4, lambda t, p, k: ranked(t[:, None] + p, len(t)), "width is not used"),
    (
        4,
        lambda t, p, k: tuple(zip(*ranked(t[:, None] + p, k), strict=True)),
        "make pairs of them, by",
    ),
    (4, lambda t, p, k: ranked(p, k), "totals"),
    (4, lambda t, p, k: ranked(t[:, None] * p, k), "multiplied"),
    (4, lambda t, p, k: ranked(-(t[:, None] + p), k), "worst"),
    (4, lambda t, p, k: ranked(t[:, None] + p, k)[::-1], "best has to come first"),
    (4, lambda t, p, k: (-(t[:, None] + p)).ravel().argsort()[:k], "flattened array"),
    (5, lambda p, n, a: p.argmax(), "short sentences win"),
    (5, lambda p, n, a: (p / n).argmax(), "exponent is not used"),
    (5, lambda p, n, a: (p / n * a).argmax(), "exponent is not used"),
    (5, lambda p, n, a: (p * n**a).argmax(), "instead of dividing"),
    (5, lambda p, n, a: (p / n**a).argmin(), "worst"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_open_exercise_trains_each_width(monkeypatch):
    from course_lib import running_task

    calls = []

    def trained(lecture, name, model, seed):
        calls.append((name, seed, model.lstm.hidden_size))
        return name, []

    monkeypatch.setattr(running_task, "trained", trained)
    assert list(how_wide((3, 5), (0, 1))) == [3, 5]
    assert calls[0] == ("plain LSTM, width 3", 0, 3)
    assert calls[-1] == ("plain LSTM, width 5", 1, 5)
