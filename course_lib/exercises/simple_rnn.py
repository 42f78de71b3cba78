"""Exercises of lecture 02, the simple recurrent network."""

from typing import Any

import numpy as np
from numpy.random import Generator

from course_lib.data import shakespeare
from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.numpy_cells import RNNWeights, rnn_backward, rnn_forward, text


def parameter_count(d_x: int, d_h: int, d_y: int) -> int:
    """Three matrices, W_h, W_x and W_y, and two biases."""
    state = d_h * d_h + d_h * d_x + d_h
    read_out = d_y * d_h + d_y
    return state + read_out


def widths(rng: Generator) -> tuple:
    return tuple(int(width) for width in rng.choice(np.arange(2, 14), 3, replace=False))


COUNT_MISTAKES = {
    "That is the recurrence alone; the read-out W_y, b_y is missing.": (
        lambda d_x, d_h, d_y: d_h * d_h + d_h * d_x + d_h
    ),
    "The biases are missing: d_h for the state and d_y for the output.": (
        lambda d_x, d_h, d_y: d_h * d_h + d_h * d_x + d_y * d_h
    ),
    "The bias b_y of the read-out is missing.": (
        lambda d_x, d_h, d_y: parameter_count(d_x, d_h, d_y) - d_y
    ),
    "The bias b_h of the state is missing.": (
        lambda d_x, d_h, d_y: parameter_count(d_x, d_h, d_y) - d_h
    ),
    "d_h too many: a second bias, as in PyTorch, or h_0, which is no weight.": (
        lambda d_x, d_h, d_y: parameter_count(d_x, d_h, d_y) + d_h
    ),
    "The widths of input and output are exchanged.": (
        lambda d_x, d_h, d_y: parameter_count(d_y, d_h, d_x)
    ),
}


def relu_jacobian(W_h: np.ndarray, a_t: np.ndarray) -> np.ndarray:
    """The slope of unit i, 0 or 1, scales row i of W_h."""
    slope = (a_t > 0).astype(float)
    return slope[:, None] * W_h


def weights_and_activation(rng: Generator) -> tuple:
    d_h = int(rng.choice([2, 3]))
    signs = rng.permutation([-1] + [1] * (d_h - 1))  # at least one unit of each kind
    return rng.standard_normal((d_h, d_h)), signs * rng.uniform(0.1, 2, d_h)


JACOBIAN_MISTAKES = {
    "You scaled the columns; the slope of unit i belongs to row i.": (
        lambda W_h, a_t: W_h * (a_t > 0)
    ),
    "This is the transpose; in numerator layout (i, j) is dh_i/dh_j.": (
        lambda W_h, a_t: relu_jacobian(W_h, a_t).T
    ),
    "That is the Jacobian for tanh; the rectifier's slope is 0 or 1.": (
        lambda W_h, a_t: (1 - np.tanh(a_t) ** 2)[:, None] * W_h
    ),
    "You multiplied by max(0, a) itself; the chain rule needs its slope.": (
        lambda W_h, a_t: np.maximum(a_t, 0)[:, None] * W_h
    ),
    "A diagonal matrix times W_h is a matrix product, @; * keeps the diagonal only.": (
        lambda W_h, a_t: np.diag(a_t > 0) * W_h
    ),
    "These are the slopes alone; the chain rule goes on, through W_h.": (
        lambda W_h, a_t: np.diag((a_t > 0).astype(float))
    ),
}


def backward_step(
    g_next: np.ndarray, h_next: np.ndarray, direct: np.ndarray, W_h: np.ndarray
) -> np.ndarray:
    """g_t = direct + g_{t+1} J_{t+1}, with J_{t+1} = diag(1 - h_{t+1}²) W_h."""
    return direct + (g_next * (1 - h_next**2)) @ W_h


def one_step(rng: Generator) -> tuple:
    B, d_h = 2, int(rng.choice([3, 5]))
    g_next, direct, a_next = rng.standard_normal((3, B, d_h))
    return g_next, np.tanh(a_next), direct, rng.standard_normal((d_h, d_h))


BACKWARD_MISTAKES = {
    "The direct effect of h_t on its own loss is missing.": (
        lambda g, h, direct, W: backward_step(g, h, 0 * direct, W)
    ),
    "Rows go from left to right: g J, so W_h without a transpose.": (
        lambda g, h, direct, W: backward_step(g, h, direct, W.T)
    ),
    "The slope of the tanh, 1 - h², is missing.": lambda g, h, direct, W: (
        direct + g @ W
    ),
    "The slope comes before W_h on the way back: J = diag(1 - h²) W_h.": (
        lambda g, h, direct, W: direct + (g @ W) * (1 - h**2)
    ),
    "The direct effect does not pass the tanh of step t + 1: only g_{t+1} does.": (
        lambda g, h, direct, W: (direct + g @ W) * (1 - h**2)
    ),
    "The direct effect does not pass step t + 1 at all: only g_{t+1} does.": (
        lambda g, h, direct, W: ((direct + g) * (1 - h**2)) @ W
    ),
    "The slope of the tanh is 1 - h², not (1 - h)².": lambda g, h, direct, W: (
        direct + (g * (1 - h) ** 2) @ W
    ),
    "The slope of tanh is 1 - h², and h_next is already the tanh.": (
        lambda g, h, direct, W: backward_step(g, np.tanh(h), direct, W)
    ),
}


def kept_pairs(T: int, K: int) -> int:
    """Step t keeps the terms tau = max(1, t - K) ... t."""
    return sum(min(t, K + 1) for t in range(1, T + 1))


def length_and_window(rng: Generator) -> tuple:
    return int(rng.integers(7, 20)), int(rng.integers(2, 6))


PAIRS_MISTAKES = {
    "K Jacobians connect K + 1 terms; you counted K of them.": (
        lambda T, K: kept_pairs(T, K - 1)
    ),
    "The first K steps cannot look back that far.": lambda T, K: T * (K + 1),
    "K terms for each of T losses: two things were forgotten, see the hint.": (
        lambda T, K: T * K
    ),
    "tau begins at 1: step t has t terms at most, not t + 1.": (
        lambda T, K: sum(min(t, K) + 1 for t in range(1, T + 1))
    ),
    "Your steps run from 0 to T - 1; here they run from 1 to T.": (
        lambda T, K: sum(min(t, K + 1) for t in range(T))
    ),
    "That is the number of all pairs, without truncation.": (
        lambda T, K: T * (T + 1) // 2
    ),
}


def cut_gradients(
    weights: RNNWeights,
    x: np.ndarray,
    h: np.ndarray,
    dh: np.ndarray,
    K: int,
    h_0: np.ndarray,
) -> list[np.ndarray]:
    """BPTT over (B, T) letters whose gradient stops every K letters."""
    total = [np.zeros_like(w) for w in text.arrays(weights)]
    for first in range(0, x.shape[1], K):
        part = slice(first, first + K)
        entry = h[:, first - 1] if first else h_0
        _, cache = rnn_forward(weights, x[:, part], entry)
        grads, *_ = rnn_backward(weights, cache, dh[:, part])
        for array, more in zip(total, text.arrays(grads), strict=True):
            array += more
    return total


def validation_loss(K: int, seed: int, steps: int, d_h: int = 128) -> float:
    """Train as in section 1, but for the cut; nats per letter on validation plays."""
    corpus, V = shakespeare.letters(), len(shakespeare.LETTERS)
    rng = np.random.default_rng(seed)
    weights = RNNWeights.init(rng, V, d_h, np.float32)
    readout = text.Readout.init(rng, d_h, V)
    adam = text.Adam(text.arrays(weights, readout), 0.008)
    state = np.zeros((32, d_h), np.float32)
    batches = text.windows(corpus.train, 32, 50)
    for k, (inputs, targets) in zip(range(steps), batches, strict=False):
        x = text.one_hot(inputs, V)
        h, _ = rnn_forward(weights, x, state)
        _, d_readout, dh = text.readout_loss(readout, h, targets)
        gradients = cut_gradients(weights, x, h, dh, K, state)
        gradients += text.arrays(d_readout)
        text.clip(gradients, 1.0)
        adam.rate = 0.008 * min(1, (k + 1) / 50) * (1 - k / steps)
        adam.step(gradients)
        state = h[:, -1]

    def run(x: np.ndarray, h_0: Any) -> tuple:
        h, _ = rnn_forward(weights, x, h_0)
        return h, h[:, -1]

    return text.nats_per_letter(run, readout, corpus.validation)


def how_far_back(cuts=(1, 5, 50), seeds=(0, 1, 2), steps: int = 1000) -> dict:
    """Everything but K is the same: windows, states, updates, rate, seeds.

    The state is carried on in every run, so all of them *have* a memory. K says how
    many letters back the gradient can teach the network what to keep in it; with
    K = 1 it learns to use its state, never what to keep. Measured on the validation
    plays, because a reader may want to choose K; the test plays have the last word.

    Found with seeds 0, 1, 2, in nats per letter (the 3-gram has 2.06):
    K = 1   1.98  1.98  1.98
    K = 5   1.91  1.92  1.93
    K = 50  1.91  1.94  1.98
    A gradient through time helps, but five letters of it were enough: after 1,000
    steps the long one was better in no run. And a memory that is never told what
    to keep is a memory already: even K = 1 is better than the 3-gram.
    After 3,000 steps, seed 0: 1.85, 1.77 and 1.76.
    """
    return {K: [validation_loss(K, seed, steps) for seed in seeds] for K in cuts}


EXERCISES = Exercises(
    "simple_rnn",
    Exercise(1, "*", parameter_count, widths, COUNT_MISTAKES),
    Exercise(2, "*", relu_jacobian, weights_and_activation, JACOBIAN_MISTAKES),
    Exercise(3, "**", backward_step, one_step, BACKWARD_MISTAKES),
    Exercise(4, "*", kept_pairs, length_and_window, PAIRS_MISTAKES),
    Exercise(5, "***", how_far_back, helpers=(cut_gradients, validation_loss)),
)
check, solution = EXERCISES.check, EXERCISES.solution
