"""Exercises of lecture 07: encoder and decoder, and how to search."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge

PAD, SOS, EOS = 0, 1, 2


def check_decoder_inputs(answer: Callable) -> None:
    """<sos> in front, the last column off: the word before, at every step"""
    target = np.array([[5, 7, EOS, PAD], [6, 3, 4, EOS], [8, EOS, PAD, PAD]])
    start = np.full((3, 1), SOS)
    right = np.concatenate([start, target[:, :-1]], axis=1)
    mistakes = {
        "That is the target itself: the decoder would be given the answer.": target,
        "You put <sos> in front but kept the last column: one step too many.": (
            np.concatenate([start, target], axis=1)
        ),
        "You shifted the other way: that is the word after, not before.": (
            np.concatenate([target[:, 1:], np.full((3, 1), PAD)], axis=1)
        ),
        "You rolled the last column to the front: row 2 now starts with <eos>.": (
            np.roll(target, 1, axis=1)
        ),
        "The first input must be <sos> (number 1), not <pad>.": (
            np.concatenate([0 * start, target[:, :-1]], axis=1)
        ),
    }
    judge("Exercise 1", answer, (target, SOS), right, mistakes)


def check_sentence_log_p(answer: Callable) -> None:
    """The sum of log p(word) up to and including <eos>"""
    rng = np.random.default_rng(3)
    scores = rng.standard_normal((7, 5))
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    words = np.array([3, 4, 3, EOS, PAD, PAD, PAD])
    each = log_p[np.arange(7), words]
    right = each[:4].sum()
    mistakes = {
        "You added the padding too: nothing counts after <eos>.": each.sum(),
        "<eos> is missing: that the sentence ends here has a price as well.": (
            each[:3].sum()
        ),
        "That is the mean per word; the probabilities multiply, the logs add.": (
            each[:4].mean()
        ),
        "That is a probability; the logarithm was asked for.": np.exp(right),
        "You multiplied the logarithms; add them.": each[:4].prod(),
        "The sign is wrong: that is the loss.": -right,
        "You took the best word at every step, not the words given.": (
            log_p.max(axis=1)[:4].sum()
        ),
    }
    judge("Exercise 2", answer, (log_p, words), right, mistakes)


def best_pairs(score: np.ndarray, width: int) -> np.ndarray:
    """(prefix, word) of the largest entries of a (prefix, word) array, best first."""
    order = np.argsort(-score, axis=None, kind="stable")[:width]
    return np.stack(np.unravel_index(order, score.shape), axis=1)


def check_beam_step(answer: Callable) -> None:
    """The K best of all K V sums total + log p"""
    totals = np.log([0.5, 0.3, 0.1])
    log_p = np.log(
        [
            [0.30, 0.28, 0.22, 0.20],
            [0.10, 0.001, 0.199, 0.70],
            [0.02, 0.97, 0.005, 0.005],
        ]
    )
    right = best_pairs(totals[:, None] + log_p, 3)
    each = np.stack([np.arange(3), log_p.argmax(axis=1)], axis=1)
    mistakes = {
        "The totals are not used: how good was the prefix?": best_pairs(log_p, 3),
        "You took one child of every prefix; all K V candidates compete.": each,
        "One child of every prefix, even if sorted: all K V candidates compete.": (
            each[np.argsort(-(totals + log_p.max(axis=1)))]
        ),
        "The right three, but in the order of the worst first.": right[::-1],
        "Logarithms of products add; you multiplied them.": best_pairs(
            totals[:, None] * log_p, 3
        ),
        "Word and prefix are exchanged: the prefix comes first.": right[:, ::-1],
        "Those are the three worst.": best_pairs(-(totals[:, None] + log_p), 3),
    }
    judge("Exercise 3", answer, (totals, log_p, 3), right, mistakes)


def several(answer: Callable, cases: list[tuple]) -> Callable:
    """One function that answers all cases; None if one of them has no answer."""

    def together() -> np.ndarray | None:
        values = [answer(*case) for case in cases]
        open_ones = [v for v in values if v is None or v is Ellipsis]
        return None if open_ones else np.array(values)

    return together


def check_distance(answer: Callable) -> None:
    """Forward T - j + i, reversed j - 1 + i"""
    cases = [
        (T, j, i, reverse)
        for reverse in (False, True)
        for T, j, i in ((5, 1, 1), (7, 2, 3), (11, 11, 2))
    ]

    def of(forward: Callable, backward: Callable) -> np.ndarray:
        return np.array(
            [(backward if reverse else forward)(T, j, i) for T, j, i, reverse in cases]
        )

    plain = lambda T, j, i: T - j + i  # noqa: E731
    turned = lambda T, j, i: j - 1 + i  # noqa: E731
    mistakes = {
        "`reverse` is not used: a reversed x_j is read at step T - j + 1.": of(
            plain, plain
        ),
        "Reversed, x_j is read at step T - j + 1, not T - j: one step less.": of(
            plain, lambda T, j, i: j + i
        ),
        "The decoder steps are missing: from h_T to s_i it is i more.": of(
            lambda T, j, i: T - j, lambda T, j, i: j - 1
        ),
        "From h_T to s_i it is i steps, not i - 1: s_1 is one step after h_T.": of(
            lambda T, j, i: T - j + i - 1, lambda T, j, i: j - 2 + i
        ),
        "From h_j to h_T it is T - j steps, not T - j + 1.": of(
            lambda T, j, i: T - j + 1 + i, lambda T, j, i: j + i
        ),
        "The two directions are exchanged.": of(turned, plain),
    }
    judge("Exercise 4", several(answer, cases), (), of(plain, turned), mistakes)


def check_best_normalised(answer: Callable) -> None:
    """argmax of log p / length ** alpha"""
    log_p = np.array([-2.0, -2.6, -5.1, -4.5])
    length = np.array([2, 3, 8, 5])
    alphas = (0.0, 0.6, 1.0)
    cases = [(log_p, length, alpha) for alpha in alphas]
    pick = lambda score: np.array([int(score(a).argmax()) for a in alphas])  # noqa: E731
    mistakes = {
        "The length is not used: the shortest wins every time.": pick(lambda a: log_p),
        "You multiplied by the length; divide.": pick(lambda a: log_p * length**a),
        "alpha is not used: that divides by the length itself.": pick(
            lambda a: log_p / length
        ),
        "Logarithms are negative: the best is the largest, the one nearest to 0.": (
            np.array([int((log_p / length**a).argmin()) for a in alphas])
        ),
        "You divided by alpha times the length; it is length to the power alpha.": (
            pick(lambda a: log_p / np.maximum(a * length, 1e-9))
        ),
    }
    right = pick(lambda a: log_p / length**a)
    judge("Exercise 5", several(answer, cases), (), right, mistakes)
