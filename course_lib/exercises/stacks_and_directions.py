"""Exercises of lecture 05b, stacks of recurrent layers and both directions."""

import numpy as np
import torch
from numpy.random import Generator
from torch import nn

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.train import train


def wavefront_rounds(layers: int, steps: int) -> int:
    """Layer 1 needs `steps` rounds; each layer above starts one round later."""
    return steps + layers - 1


def grid(rng: Generator) -> tuple:
    layers, steps = rng.choice(np.arange(2, 12), 2, replace=False)
    return int(layers), int(steps)


ROUNDS_MISTAKES = {
    "That is one cell after the other; a diagonal runs at once.": (
        lambda layers, steps: layers * steps
    ),
    "One too many: the first cell of layer 1 is round 1, not 2.": (
        lambda layers, steps: layers + steps
    ),
    "The top layer starts late: add the rounds it waits.": (
        lambda layers, steps: steps
    ),
}


def bilstm_parameters(d_x: int, d_h: int, layers: int) -> int:
    """Two cells a layer; from layer 2 on each of them reads both halves."""
    total, d_in = 0, d_x
    for _ in range(layers):
        total += 2 * 4 * d_h * (d_in + d_h + 2)
        d_in = 2 * d_h
    return total


def sizes(rng: Generator) -> tuple:
    d_x, d_h = rng.choice(np.arange(2, 12), 2, replace=False)
    return int(d_x), int(d_h), int(rng.integers(2, 5))


def one_way_parameters(
    d_x: int, d_h: int, layers: int, biases: int = 2, blocks: int = 4
) -> int:
    """A stack that reads in one direction."""
    first = blocks * d_h * (d_x + d_h + biases)
    return first + (layers - 1) * blocks * d_h * (2 * d_h + biases)


COUNT_MISTAKES = {
    "From layer 2 on the input is the concatenation: 2 d_h wide.": (
        lambda d_x, d_h, layers: 2 * one_way_parameters(d_x, d_h, layers)
    ),
    "That is one direction; each layer has two cells.": one_way_parameters,
    "torch keeps two bias vectors per cell; you counted one.": (
        lambda d_x, d_h, layers: (
            bilstm_parameters(d_x, d_h, layers) - layers * 2 * 4 * d_h
        )
    ),
    "The biases are missing.": (
        lambda d_x, d_h, layers: (
            bilstm_parameters(d_x, d_h, layers) - layers * 2 * 8 * d_h
        )
    ),
    "That is a GRU, three blocks; the LSTM has four.": (
        lambda d_x, d_h, layers: bilstm_parameters(d_x, d_h, layers) * 3 // 4
    ),
    "You gave every layer the input width d_x; only layer 1 reads x.": (
        lambda d_x, d_h, layers: layers * bilstm_parameters(d_x, d_h, 1)
    ),
}


def first_and_last_seen(directions: list[str], t: int, T: int) -> tuple[int, int]:
    """Input 1 is in view if some layer runs forward, input T if some runs backward."""
    forward = "forward" in directions or "both" in directions
    backward = "backward" in directions or "both" in directions
    return (1 if forward else t), (T if backward else t)


PLANS = (
    ["forward", "forward"],
    ["backward", "backward"],
    ["backward", "forward"],
    ["both"],
    ["forward", "backward", "forward"],
)


def stack(rng: Generator) -> tuple:
    T = int(rng.integers(6, 12))
    return list(PLANS[rng.integers(len(PLANS))]), int(rng.integers(2, T)), T


def from_the_next_on(directions: list[str], t: int, T: int) -> tuple[int, int]:
    first, last = first_and_last_seen(directions, t, T)
    return (t + 1 if first == t else first), last


def up_to_the_last(directions: list[str], t: int, T: int) -> tuple[int, int]:
    first, last = first_and_last_seen(directions, t, T)
    return first, (t - 1 if last == t else last)


SEEN_MISTAKES = {
    "A backward layer sees its own input too: steps t to T.": from_the_next_on,
    "A forward layer sees its own input too: steps 1 to t.": up_to_the_last,
    "A backward layer above or below a forward one completes the view.": (
        lambda directions, t, T: first_and_last_seen(directions[-1:], t, T)
    ),
    "Inputs are counted from 1, not from 0.": lambda directions, t, T: tuple(
        number - 1 for number in first_and_last_seen(directions, t, T)
    ),
    "Only a mixture sees everything; check the stacks of one direction.": (
        lambda directions, t, T: (1, T)
    ),
}


def flip_within_lengths(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Reverse the steps that count; the padding stays behind them."""
    flipped = x.copy()
    for n, length in enumerate(lengths):
        flipped[n, :length] = x[n, :length][::-1]
    return flipped


def padded_batch(rng: Generator) -> tuple:
    """Three sequences of different lengths, zeros behind them."""
    steps = int(rng.integers(4, 7))
    lengths = rng.choice(np.arange(2, steps + 1), 3, replace=False)
    x = rng.standard_normal((3, steps, 2)).round(2)
    x[np.arange(steps) >= lengths[:, None]] = 0
    return x, lengths


FLIP_MISTAKES = {
    "You flipped the padding to the front: the cell would read it first.": (
        lambda x, lengths: x[:, ::-1]
    ),
    "You flipped the batch axis; time is axis 1.": lambda x, lengths: x[::-1],
    "You flipped the features; time is axis 1.": lambda x, lengths: x[:, :, ::-1],
    "Nothing is reversed.": lambda x, lengths: x,
}


def delayed_accuracy(delay: int, ahead: int, seed: int, steps: int = 80) -> float:
    """A forward RNN that answers `delay` steps late; the target is `ahead` on."""
    torch.manual_seed(seed)
    rnn, head = nn.RNN(1, 8, batch_first=True), nn.Linear(8, 1)

    def batch(size: int) -> tuple:
        bits = torch.randint(0, 2, (size, 16)).float()
        logits = head(rnn(2 * bits[..., None] - 1)[0])[..., 0]
        count = 16 - max(delay, ahead)
        return logits[:, delay : delay + count], bits[:, ahead : ahead + count]

    def loss(_step: int) -> torch.Tensor:
        return nn.functional.binary_cross_entropy_with_logits(*batch(32))

    train([*rnn.parameters(), *head.parameters()], loss, steps, lr=0.03)
    with torch.no_grad():
        logits, target = batch(1000)
    return ((logits > 0) == (target > 0)).float().mean().item()


def lookahead_compared(ahead: int = 2, delays=(0, 1, 2, 3), seeds: int = 3) -> dict:
    """A reader that waits needs no second direction, if it knows how long to wait.

    Below the delay `ahead` the answer is a coin that has not been read: 1/2. From there
    on it is in view, and every seed should find it.

    Found with seeds 0, 1, 2, share of right answers, the target two ahead:
    delay 0   0.50 0.50 0.51
    delay 1   0.49 0.51 0.50
    delay 2   1.00 1.00 1.00
    delay 3   1.00 1.00 1.00
    No second direction was trained, but where waiting is always right it has nothing to
    add. What this does not show: long delays, which the reader has to remember across,
    and tasks in which the decisive word may come at any distance, as German verbs do.
    There no short fixed delay is enough.
    """
    return {
        delay: [delayed_accuracy(delay, ahead, seed) for seed in range(seeds)]
        for delay in delays
    }


EXERCISES = Exercises(
    "stacks_and_directions",
    Exercise(1, "*", wavefront_rounds, grid, ROUNDS_MISTAKES),
    Exercise(2, "*", first_and_last_seen, stack, SEEN_MISTAKES, instances=15),
    Exercise(3, "*", bilstm_parameters, sizes, COUNT_MISTAKES),
    Exercise(4, "**", flip_within_lengths, padded_batch, FLIP_MISTAKES),
    Exercise(5, "***", lookahead_compared, helpers=(delayed_accuracy,)),
)
check, solution = EXERCISES.check, EXERCISES.solution
