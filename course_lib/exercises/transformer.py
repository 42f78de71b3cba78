"""Exercises of lecture 10, the Transformer."""

from collections.abc import Callable

import numpy as np

from course_lib.exercises.verdict import judge


def speeds(d: int) -> np.ndarray:
    """10000 ** (-2 i / d) for i = 0 .. d/2 - 1"""
    return 10_000.0 ** (-np.arange(0, d, 2) / d)


def woven(even: np.ndarray, odd: np.ndarray) -> np.ndarray:
    """Two halves as columns 0, 2, 4, ... and 1, 3, 5, ..."""
    return np.stack([even, odd], axis=-1).reshape(-1)


def check_position_code(answer: Callable) -> None:
    """sin and cos of omega_i n, in turn"""
    n, d = 7, 10
    angle = speeds(d) * n
    one_each = n * 10_000.0 ** (-2 * np.arange(d) / d)
    mistakes = {
        "Sines and cosines must alternate; yours stand in two halves.": np.concatenate(
            [np.sin(angle), np.cos(angle)]
        ),
        "Even columns are sines, odd ones cosines; yours are the other way round.": (
            woven(np.cos(angle), np.sin(angle))
        ),
        "The exponent is 2i/d, with i the number of the pair; yours is i/d.": woven(
            np.sin(n * 10_000.0 ** (-np.arange(d // 2) / d)),
            np.cos(n * 10_000.0 ** (-np.arange(d // 2) / d)),
        ),
        "Both columns of a pair have the same frequency; i is the number of the pair, "
        "not of the column.": np.where(
            np.arange(d) % 2, np.cos(one_each), np.sin(one_each)
        ),
        "The frequencies must fall: the exponent has a minus sign.": woven(
            np.sin(n / speeds(d)), np.cos(n / speeds(d))
        ),
        "The last cosine is missing: d columns, indices 0 to d - 1.": woven(
            np.sin(angle), np.cos(angle)
        )[:-1],
    }
    right = woven(np.sin(angle), np.cos(angle))
    judge("Exercise 1", answer, (n, d), right, mistakes)


def normalised(
    x: np.ndarray, axis: int | tuple[int, ...], of: Callable = np.mean
) -> np.ndarray:
    """(x - mu) / sqrt(var + eps), with mean and variance along `axis`"""
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred / np.sqrt(of(centred**2, axis=axis, keepdims=True) + 1e-5)


def check_layer_norm(answer: Callable) -> None:
    """gamma (x - mu) / sqrt(var + eps) + beta along the last axis"""
    rng = np.random.default_rng(2)
    x = 2 * rng.standard_normal((2, 3, 5)) + 1
    gamma, beta = rng.standard_normal(5), rng.standard_normal(5)
    plain = normalised(x, -1)
    wrong = {
        "The variance is a mean: the factor 1/d is missing.": normalised(x, -1, np.sum),
        "Divide by d, not by d - 1.": normalised(
            x, -1, lambda a, **kw: a.sum(**kw) / (a.shape[-1] - 1)
        ),
        "That is along the batch, as in batch normalisation; take the last axis.": (
            normalised(x, 0)
        ),
        "That is along the places of a sentence; take the last axis.": normalised(x, 1),
        "Each vector by itself: yours mixes all places of a sentence.": normalised(
            x, (1, 2)
        ),
    }
    mistakes = {sentence: gamma * value + beta for sentence, value in wrong.items()}
    mistakes |= {
        "gamma and beta are missing.": plain,
        "beta is missing.": gamma * plain,
        "First the scale gamma, then the shift beta.": gamma * (plain + beta),
    }
    judge("Exercise 2", answer, (x, gamma, beta), gamma * plain + beta, mistakes)


def check_rotary(answer: Callable) -> None:
    """pairs (2i, 2i + 1) turned by omega_i n"""
    n, d = 5, 6
    x = np.random.default_rng(3).standard_normal(d)
    angle = speeds(d) * n
    code = woven(np.sin(angle), np.cos(angle))

    def turned(
        angle: np.ndarray, a: np.ndarray, b: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        turned_a = a * np.cos(angle) - b * np.sin(angle)
        return turned_a, a * np.sin(angle) + b * np.cos(angle)

    mistakes = {
        "You turned the other way: the minus sign stands with the first entry.": woven(
            *turned(-angle, x[0::2], x[1::2])
        ),
        "You added a code; rotary codes turn the vector and add nothing.": x + code,
        "You paired entry i with entry i + d/2; here neighbours are a pair.": (
            np.concatenate(turned(angle, x[: d // 2], x[d // 2 :]))
        ),
        "The angles lack the place n: omega_i n.": woven(
            *turned(speeds(d), x[0::2], x[1::2])
        ),
        "All pairs turn by n; pair i must turn by omega_i n.": woven(
            *turned(np.full(d // 2, n), x[0::2], x[1::2])
        ),
        "The pairs must stand in their old places, not in two halves.": np.concatenate(
            turned(angle, x[0::2], x[1::2])
        ),
    }
    right = woven(*turned(angle, x[0::2], x[1::2]))
    judge("Exercise 3", answer, (x, n), right, mistakes)


def check_decoder_inputs(answer: Callable) -> None:
    """<sos>, then the target without its last column"""
    target, sos = np.array([[7, 5, 9, 2], [4, 2, 0, 0], [3, 8, 6, 2]]), 1
    start = np.full((3, 1), sos)
    mistakes = {
        "That is the target itself: every place would be told its own answer.": target,
        "The length must stay U: the last word is never an input.": np.concatenate(
            [start, target], axis=1
        ),
        "You replaced the first word instead of moving all words one place on.": (
            np.concatenate([start, target[:, 1:]], axis=1)
        ),
        "You moved the words forwards: place l would see the word after it.": (
            np.concatenate([target[:, 1:], start], axis=1)
        ),
        "np.roll brings the last word to the front; there must stand <sos>.": (
            np.roll(target, 1, axis=1)
        ),
        "The first place has no word before it: it is given <sos>.": target[:, :-1],
    }
    right = np.concatenate([start, target[:, :-1]], axis=1)
    judge("Exercise 4", answer, (target, sos), right, mistakes)


def check_block_parameters(answer: Callable) -> None:
    """4 d^2 + 4 d, 2 d d_ff + d_ff + d, and 4 d for two norms"""
    d, d_ff = 12, 17
    attend, net = 4 * d * d + 4 * d, 2 * d * d_ff + d_ff + d
    right = attend + net + 4 * d
    mistakes = {
        "4 d are missing: are both LayerNorms there, scale and shift, and the four "
        "biases of attention?": right - 4 * d,
        "A block has two LayerNorms, each with a scale and a shift; 2 d are missing.": (
            right - 2 * d
        ),
        "The biases are missing, in attention and in the network.": (
            right - 4 * d - d_ff - d
        ),
        "The biases of the network are missing: d_ff and d.": right - d_ff - d,
        "W_o is missing: attention has four matrices.": right - d * d - d,
        "The network has two matrices; you counted one.": right - d * d_ff - d,
        "That is a decoder block; an encoder block has no cross-attention.": (
            right + attend + 2 * d
        ),
    }
    judge("Exercise 5", answer, (d, d_ff), right, mistakes)
