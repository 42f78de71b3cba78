"""Exercises of lecture 10, the Transformer."""

from collections.abc import Callable

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

from course_lib import running_task
from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models.transformer import Transformer
from course_lib.seeds import set_seed


def position_code(n: int, d: int) -> np.ndarray:
    """sin and cos of omega_i n, in turn: the pair i has columns 2i and 2i + 1."""
    angle = n * 10_000.0 ** (-np.arange(0, d, 2) / d)  # (d/2,)
    code = np.empty(d)
    code[0::2], code[1::2] = np.sin(angle), np.cos(angle)
    return code


def position_and_width(rng: Generator) -> tuple:
    return int(rng.integers(2, 40)), int(rng.choice([6, 8, 10]))


def woven(even: np.ndarray, odd: np.ndarray) -> np.ndarray:
    """Two halves as columns 0, 2, 4, ... and 1, 3, 5, ..."""
    return np.stack([even, odd], axis=-1).reshape(-1)


def clocks(n: int, d: int, exponent: Callable) -> np.ndarray:
    """The code with another exponent of 10000."""
    angle = n * 10_000.0 ** exponent(np.arange(d // 2), d)
    return woven(np.sin(angle), np.cos(angle))


CODE_MISTAKES = {
    "Sines and cosines must alternate; yours stand in two halves.": lambda n, d: (
        np.concatenate([position_code(n, d)[0::2], position_code(n, d)[1::2]])
    ),
    "Even columns are sines, odd ones cosines; yours are the other way round.": (
        lambda n, d: woven(position_code(n, d)[1::2], position_code(n, d)[0::2])
    ),
    "The exponent is 2i/d, with i the number of the pair; yours is i/d.": (
        lambda n, d: clocks(n, d, lambda i, d: -i / d)
    ),
    "Both columns of a pair have the same frequency; i is the number of the pair, not "
    "of the column.": lambda n, d: np.where(
        np.arange(d) % 2,
        np.cos(n * 10_000.0 ** (-2 * np.arange(d) / d)),
        np.sin(n * 10_000.0 ** (-2 * np.arange(d) / d)),
    ),
    "Both columns of a pair have the same frequency; your odd columns have one of "
    "their own, with the number of the column in the exponent.": lambda n, d: np.where(
        np.arange(d) % 2,
        np.cos(n * 10_000.0 ** (-np.arange(d) / d)),
        np.sin(n * 10_000.0 ** (-np.arange(d) / d)),
    ),
    "Positions are counted from 0, and n is given as it is: do not add 1.": (
        lambda n, d: position_code(n + 1, d)
    ),
    "The frequencies must fall: the exponent has a minus sign.": (
        lambda n, d: clocks(n, d, lambda i, d: 2 * i / d)
    ),
    "The last cosine is missing: d columns, indices 0 to d - 1.": (
        lambda n, d: position_code(n, d)[:-1]
    ),
    "The exponent is 2i/d, with d the whole width; yours divides by the d/2 pairs.": (
        lambda n, d: clocks(n, d, lambda i, d: -4 * i / d)
    ),
    "The position n is missing from the angles.": lambda n, d: position_code(1, d),
}


def turn(x: np.ndarray, n: int) -> np.ndarray:
    """Columns 2i and 2i + 1 are an arrow, turned by the angle omega_i n."""
    d = len(x)
    angle = n * 10_000.0 ** (-np.arange(0, d, 2) / d)
    a, b = x[0::2], x[1::2]
    turned = np.empty(d)
    turned[0::2] = a * np.cos(angle) - b * np.sin(angle)
    turned[1::2] = a * np.sin(angle) + b * np.cos(angle)
    return turned


def vector_and_position(rng: Generator) -> tuple:
    d = int(rng.choice([4, 6]))
    return rng.standard_normal(d), int(rng.integers(2, 9))


def turned_by(x: np.ndarray, angle: np.ndarray) -> np.ndarray:
    a, b = x[0::2], x[1::2]
    cos, sin = np.cos(angle), np.sin(angle)
    return woven(a * cos - b * sin, a * sin + b * cos)


def in_place(x: np.ndarray, n: int) -> np.ndarray:
    """The second line reads what the first has written."""
    angle, out = n * 10_000.0 ** (-np.arange(0, len(x), 2) / len(x)), x.copy()
    out[0::2] = out[0::2] * np.cos(angle) - out[1::2] * np.sin(angle)
    out[1::2] = out[0::2] * np.sin(angle) + out[1::2] * np.cos(angle)
    return out


def plus(x: np.ndarray, n: int) -> np.ndarray:
    """Both lines with a plus."""
    angle, a, b = n * 10_000.0 ** (-np.arange(0, len(x), 2) / len(x)), x[0::2], x[1::2]
    sin, cos = np.sin(angle), np.cos(angle)
    return woven(a * cos + b * sin, a * sin + b * cos)


def in_halves(x: np.ndarray, n: int) -> np.ndarray:
    """Entry i is paired with entry i + d/2."""
    half = len(x) // 2
    pairs = turn(woven(x[:half], x[half:]), n)
    return np.concatenate([pairs[0::2], pairs[1::2]])


TURN_MISTAKES = {
    "You turned the other way: the minus sign stands with the first entry.": (
        lambda x, n: turn(x, -n)
    ),
    "You added a code; rotary encodings turn the vector and add nothing.": (
        lambda x, n: x + position_code(n, len(x))
    ),
    "You paired entry i with entry i + d/2; here neighbours are a pair.": in_halves,
    "The angles lack the position n: omega_i n.": lambda x, n: turn(x, 1),
    "Positions are counted from 0, and n is given as it is: do not add 1.": (
        lambda x, n: turn(x, n + 1)
    ),
    "The exponent of omega_i is -2i/d, with i the number of the pair; yours is -i/d.": (
        lambda x, n: turned_by(x, n * 10_000.0 ** (-np.arange(len(x) // 2) / len(x)))
    ),
    "One of the two sines has a minus sign, or lengths change: a cos - b sin.": plus,
    "That only shortens the entries: the terms with the sine are missing.": (
        lambda x, n: x * np.repeat(position_code(n, len(x))[1::2], 2)
    ),
    "All pairs turn by n; pair i must turn by omega_i n.": lambda x, n: turned_by(
        x, np.full(len(x) // 2, float(n))
    ),
    "The pairs must stand in their old columns, not in two halves.": lambda x, n: (
        np.concatenate([turn(x, n)[0::2], turn(x, n)[1::2]])
    ),
    "The second line must read the old first entry: you have overwritten it.": in_place,
}


def norm_by_hand(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Mean and variance of each vector by itself: along the last axis."""
    mu = x.mean(axis=-1, keepdims=True)
    variance = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(variance + 1e-5) + beta


def vectors_scale_and_shift(rng: Generator) -> tuple:
    """Small vectors: with a variance near 1e-3, the place of epsilon shows."""
    B, N, d = 2, 2, 3
    x = 0.03 * rng.standard_normal((B, N, d)).round(2) + 0.1
    return x, rng.standard_normal(d).round(2), rng.standard_normal(d).round(2)


def normalised(axis: int | tuple, ddof: int = 0) -> Callable:
    """LayerNorm with mean and variance along another axis."""

    def norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
        centred = x - x.mean(axis=axis, keepdims=True)
        variance = x.var(axis=axis, keepdims=True, ddof=ddof)
        return gamma * centred / np.sqrt(variance + 1e-5) + beta

    return norm


def summed(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    centred = x - x.mean(axis=-1, keepdims=True)
    total = (centred**2).sum(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(total + 1e-5) + beta


NORM_MISTAKES = {
    "The variance is a mean: the factor 1/d is missing.": summed,
    "Divide by d, not by d - 1.": normalised(-1, ddof=1),
    "That is along the batch, as in batch normalisation; take the last axis.": (
        normalised(0)
    ),
    "That is along the positions of a sequence; take the last axis.": normalised(1),
    "Each vector by itself: yours mixes all positions of a sequence.": normalised(
        (1, 2)
    ),
    "gamma and beta are missing.": lambda x, g, b: norm_by_hand(x, 0 * g + 1, 0 * b),
    "beta is missing.": lambda x, g, b: norm_by_hand(x, g, 0 * b),
    "First the scale gamma, then the shift beta.": lambda x, g, b: (
        g * (norm_by_hand(x, 0 * g + 1, 0 * b) + b)
    ),
    "Epsilon stands under the root, beside the variance; yours is added to the root.": (
        lambda x, g, b: (
            g * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5) + b
        )
    ),
    "Epsilon is missing: a vector of equal entries would be 0/0.": lambda x, g, b: (
        g * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + b
    ),
    "The mean is not subtracted. (Without it this is RMSNorm.)": (
        lambda x, g, b: g * x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) + b
    ),
    "That is the variance; divide by its root.": lambda x, g, b: (
        g * (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + 1e-5) + b
    ),
}


def block_parameters(d: int, d_ff: int) -> int:
    """Attention, network, two norms; the number of heads does not matter."""
    attend = 4 * (d * d + d)
    network = d * d_ff + d_ff + d_ff * d + d
    norms = 2 * 2 * d
    return attend + network + norms


def two_widths(rng: Generator) -> tuple:
    return int(rng.integers(3, 30)), int(rng.integers(31, 90))


COUNT_MISTAKES = {
    "4 d are missing: are both LayerNorms there, scale and shift, and the four biases "
    "of attention?": lambda d, f: block_parameters(d, f) - 4 * d,
    "A block has two LayerNorms, each with a scale and a shift; 2 d are missing.": (
        lambda d, f: block_parameters(d, f) - 2 * d
    ),
    "The biases are missing, in attention and in the network.": lambda d, f: (
        4 * d * d + 2 * d * f + 4 * d
    ),
    "Those are the weight matrices alone: biases and norms are missing.": (
        lambda d, f: 4 * d * d + 2 * d * f
    ),
    "The biases of the network are missing: d_ff and d.": lambda d, f: (
        block_parameters(d, f) - f - d
    ),
    "W_o is missing: attention has four matrices.": lambda d, f: (
        block_parameters(d, f) - d * d - d
    ),
    "The network has two matrices; you counted one.": lambda d, f: (
        block_parameters(d, f) - d * f - d
    ),
    "You took d_ff = 4 d; d_ff is an argument of its own.": lambda d, f: (
        block_parameters(d, 4 * d)
    ),
    "That is a decoder block; an encoder block has no cross-attention.": (
        lambda d, f: block_parameters(d, f) + 4 * (d * d + d) + 2 * d
    ),
}


def decoder_inputs(target: np.ndarray, sos: int) -> np.ndarray:
    """<sos>, then the target without its last column."""
    start = np.full((len(target), 1), sos)
    return np.concatenate([start, target[:, :-1]], axis=1)


def targets_and_sos(rng: Generator) -> tuple:
    B, length = int(rng.choice([2, 3])), 4
    sos = int(rng.choice([1, 2]))
    return rng.permutation(np.arange(3, 30))[: B * length].reshape(B, length), sos


INPUT_MISTAKES = {
    "That is the target itself: every position would be told its own answer.": (
        lambda target, sos: target
    ),
    "As many inputs as targets, (B, T_out): the last token is never an input.": (
        lambda target, sos: np.insert(target, 0, sos, axis=1)
    ),
    "You replaced the first token instead of moving all tokens one position on.": (
        lambda target, sos: np.insert(target[:, 1:], 0, sos, axis=1)
    ),
    "You moved the tokens forwards: position l would see the token after it.": (
        lambda target, sos: np.insert(target, target.shape[1], sos, axis=1)[:, 1:]
    ),
    "The number of <sos> is given as `sos`; yours begins with 0, the padding.": (
        lambda target, sos: decoder_inputs(target, 0)
    ),
    "You moved the rows of the batch; the tokens of each row must move.": (
        lambda target, sos: np.insert(target, 0, sos, axis=0)[:-1]
    ),
    "np.roll brings the last token to the front; there must stand <sos>.": (
        lambda target, sos: np.roll(target, 1, axis=1)
    ),
    "The last token goes, but <sos> comes to the front of a row, not to its end.": (
        lambda target, sos: np.insert(target[:, :-1], target.shape[1] - 1, sos, axis=1)
    ),
    "The first position has no token before it: it is given <sos>.": (
        lambda target, sos: target[:, :-1]
    ),
}


class Moved(Transformer):
    """In training every sentence begins at a random position, up to `furthest`."""

    furthest = 0

    def enter(self, table: nn.Embedding, tokens: Tensor, start: int = 0) -> Tensor:
        if self.training and self.furthest:
            start += int(torch.randint(self.furthest + 1, ()))
        return super().enter(table, tokens, start)


def moved_and_tested(furthest: int, seed: int, **how: int) -> tuple[float, float]:
    """Train as the table's rows are; exact match on seen lengths and on longer ones."""
    data = running_task.load()
    set_seed(seed)
    model = Moved(len(data.english), len(data.french))
    model.furthest = furthest
    running_task.fit(model, data.train, seed=seed, lr=3e-3, **how)
    model.eval()
    shares = []
    for pairs in (data.test, data.longer):
        said = running_task.translate(model, pairs.source)
        shares.append(running_task.exact(said, pairs.target).double().mean().item())
    return shares[0], shares[1]


def does_moving_help(moves: tuple = (0, 12), seeds: tuple = (0, 1)) -> dict:
    """Only the start differs: 0 is the table's row, 12 covers the longest sentences.

    Parameters, pairs, steps and seeds are those of the row "Transformer", so that row
    is the control; "relative positions" says what one might hope for. Moving must not
    cost anything on seen lengths, or a gain on longer ones would be bought.

    Found, seen and longer: the row 0.995 0.095 (seed 0) and 0.998 0.092 (seed 1);
    moved by up to 12, 0.968 0.377 and 0.958 0.355. So a large part of the failure was
    rows that training had never shown; the sinusoids reach about as far as biases for
    distances then, and not as far as rotary positions. It costs three or four points
    on seen lengths in 700 steps. Whether longer training wins these back is not tried.
    """
    return {
        furthest: [moved_and_tested(furthest, seed) for seed in seeds]
        for furthest in moves
    }


EXERCISES = Exercises(
    "transformer",
    Exercise(1, "*", position_code, position_and_width, CODE_MISTAKES),
    Exercise(2, "**", turn, vector_and_position, TURN_MISTAKES),
    Exercise(3, "*", norm_by_hand, vectors_scale_and_shift, NORM_MISTAKES),
    Exercise(4, "*", block_parameters, two_widths, COUNT_MISTAKES),
    Exercise(5, "*", decoder_inputs, targets_and_sos, INPUT_MISTAKES),
    Exercise(6, "***", does_moving_help, helpers=(Moved, moved_and_tested)),
)
check, solution = EXERCISES.check, EXERCISES.solution
