"""Exercises of lecture 01, sequences."""

import math
from collections import Counter

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

from course_lib.data import balls
from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.train import train


def next_place(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Fly on as in the last step; what is behind a wall is seen in its mirror."""
    place = 2 * now - before
    place = np.where(place > 1, 2 - place, place)
    return np.where(place < 0, -place, place)


def two_frames(rng: Generator) -> tuple:
    """Three balls; one of them is about to hit a wall."""
    before = rng.uniform(0.3, 0.7, (3, 2))
    step = rng.uniform(-0.1, 0.1, (3, 2))
    before[1, 0], step[1, 0] = 0.1 + rng.uniform(-0.02, 0.02), -0.08
    before[2, 1], step[2, 1] = 0.88 + rng.uniform(-0.02, 0.02), 0.08
    return before, before + step


PLACE_MISTAKES = {
    "The walls are missing: a ball behind a wall is seen in its mirror.": (
        lambda before, now: 2 * now - before
    ),
    "Your balls stick to the wall; the part behind it is reflected.": (
        lambda before, now: np.clip(2 * now - before, 0, 1)
    ),
    "Only the far walls, at 1, reflect; there are walls at 0 as well.": (
        lambda before, now: np.minimum(2 * now - before, 2 - (2 * now - before))
    ),
    "Only the walls at 0 reflect; there are walls at 1 as well.": (
        lambda before, now: np.abs(2 * now - before)
    ),
    "It turns round at the wall, not before: what is behind the wall comes back.": (
        lambda before, now: np.where(
            np.abs(2 * now - before - 0.5) > 0.5, before, 2 * now - before
        )
    ),
    "That flies in again on the other side; these walls reflect.": (
        lambda before, now: (2 * now - before) % 1
    ),
    "That is where it came from: the step is now - before.": lambda before, now: before,
    "That is the step alone; add it to where the ball is now.": (
        lambda before, now: now - before
    ),
    "That is persistence: it stays where it is.": lambda before, now: now,
    "That is one step back from the frame before: go on from now.": (
        lambda before, now: 2 * before - now
    ),
    "A wall at 1 makes 2 - place of a place behind it, not 1 - place.": (
        lambda before, now: np.abs(
            np.where(2 * now - before > 1, 1 - (2 * now - before), 2 * now - before)
        )
    ),
}


def best_memoryless(p: float) -> float:
    """The bit before is independent of the bit now: say the likelier value, always."""
    return max(p, 1 - p)


def share_of_ones(rng: Generator) -> tuple:
    return (round(float(rng.uniform(0.05, 0.95)), 2),)


MEMORYLESS_MISTAKES = {
    "That is right for fair bits only.": lambda p: 0.5,
    "That is right if you always answer 1; sometimes 0 is better.": lambda p: p,
    "That is right if you always answer 0; sometimes 1 is better.": lambda p: 1 - p,
    "That is the score of repeating x_t; there is a better function.": (
        lambda p: p**2 + (1 - p) ** 2
    ),
    "That is the likelier answer; what share of the answers does it get right?": (
        lambda p: int(p > 0.5)
    ),
}


def same_bag(sentence: str) -> int:
    """T! orders, and the c! orders of a word that occurs c times look the same."""
    words = sentence.split()
    equal = math.prod(math.factorial(count) for count in Counter(words).values())
    return math.factorial(len(words)) // equal


def short_sentence(rng: Generator) -> tuple:
    words = rng.choice(["not", "bad", "good", "at"], 3, replace=False).tolist()
    words += [words[0]] * int(rng.integers(1, 3)) + [words[1]]
    return (" ".join(rng.permutation(words).tolist()),)


def _count(words: list[str]) -> int:
    return math.factorial(len(words))


BAG_MISTAKES = {
    "A word that occurs c times makes c! orders look the same: divide by c!.": (
        lambda sentence: _count(sentence.split())
    ),
    "Divide by c!, the orders among the equal words, not by c.": (
        lambda sentence: (
            _count(sentence.split()) // math.prod(Counter(sentence.split()).values())
        )
    ),
    "You counted the orders of the different words only.": (
        lambda sentence: _count(sorted(set(sentence.split())))
    ),
    "The sentence itself has this bag, too: count it.": (
        lambda sentence: same_bag(sentence) - 1
    ),
}


def last_states(states: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Row b ends at its own length; the first step has number 0."""
    return states[np.arange(len(states)), lengths - 1]


def padded_states(rng: Generator) -> tuple:
    states = rng.integers(-9, 10, (3, 5, 2)).astype(float)
    return states, np.array([5, *rng.permutation([2, 3])])


LAST_MISTAKES = {
    "That is the end of the padded row; read each row at its true length.": (
        lambda states, lengths: states[:, -1]
    ),
    "One step too far: a row of length 3 ends at number 2.": (
        lambda states, lengths: states[np.arange(3), np.minimum(lengths, 4)]
    ),
    "That is the first state of each row.": lambda states, lengths: states[:, 0],
    "A colon takes every row for each length; number the rows: np.arange(B).": (
        lambda states, lengths: states[:, lengths - 1]
    ),
    "That adds up or averages the states; the last one has read the whole row.": (
        lambda states, lengths: states.sum(axis=1) / lengths[:, None]
    ),
}


def damping(x: np.ndarray, k: int) -> float:
    """Set the derivative of the sum of squares by a to zero."""
    now, later = x[:-k], x[k:]
    return float(now @ later / (now @ now))


def anomalies(rng: Generator) -> tuple:
    """A short series that forgets slowly, not centred."""
    x = [float(rng.normal(1, 1))]
    for _ in range(11):
        x.append(0.8 * x[-1] + float(rng.normal()))
    shown = np.round(x, 1)
    return np.where(shown == 0, 0.1, shown), int(rng.integers(2, 5))


DAMPING_MISTAKES = {
    "That is the best factor for one step; look k steps ahead.": lambda x, k: damping(
        x, 1
    ),
    "Divide by the sum of squares of what you know, x_t, not of x_{t+k}.": (
        lambda x, k: x[:-k] @ x[k:] / (x[k:] @ x[k:])
    ),
    "Divide by the squares of those x_t that have an x_{t+k}, no others.": (
        lambda x, k: x[:-k] @ x[k:] / (x @ x)
    ),
    "That is the correlation; it is the factor only if both spreads are equal.": (
        lambda x, k: np.corrcoef(x[:-k], x[k:])[0, 1]
    ),
    "That is the slope of a line with an intercept; here the line is a x_t.": (
        lambda x, k: np.polyfit(x[:-k], x[k:], 1)[0]
    ),
    "That is the factor for one step, k times; fit k steps ahead at once.": (
        lambda x, k: damping(x, 1) ** k
    ),
    "The ratio of the sums does not minimise the squares.": (
        lambda x, k: x[k:].sum() / x[:-k].sum()
    ),
    "Square each x_t first and then add up, below the line as well.": (
        lambda x, k: x[:-k] @ x[k:] / x[:-k].sum() ** 2
    ),
    "The mean of the ratios does not minimise the squares.": (
        lambda x, k: (x[k:] / x[:-k]).mean()
    ),
}


class Tracker(nn.Module):
    """The network with a state of section 1.  (B, T, 2) -> (B, T, 2)"""

    def __init__(self, d_h: int = 64) -> None:
        super().__init__()
        self.rnn = nn.RNN(2, d_h, batch_first=True)
        self.read = nn.Linear(d_h, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.read(self.rnn(x)[0])


def noisy(paths: np.ndarray, sigma: float, seed: int) -> tuple[Tensor, Tensor]:
    """What is measured in all frames but the last, and the true next places."""
    noise = np.random.default_rng(seed).standard_normal(paths.shape)
    seen = torch.tensor(paths + sigma * noise, dtype=torch.float32)
    return seen[:, :-1], torch.tensor(paths[:, 1:], dtype=torch.float32)


def rules(seen: Tensor) -> dict[str, Tensor]:
    """Next places by persistence, by two frames, and by a line through four.

    Walls reflect. The first frames, which have too little before them, are no use.
    """
    past = [seen.roll(k, dims=1).numpy() for k in range(4)]  # 0 is now
    weights = {"persistence": [1], "two frames": [2, -1], "line": [1, 0.5, 0, -0.5]}
    return {
        name: torch.tensor(balls.fold(np.einsum("k,kbtd->btd", w, past[: len(w)])))
        for name, w in weights.items()
    }


def trained(inputs: Tensor, targets: Tensor, seed: int, steps: int) -> Tracker:
    """As in section 1: the network predicts ten times the next move."""
    torch.manual_seed(seed)
    net, generator = Tracker(), torch.Generator().manual_seed(seed)

    def loss(_step: int) -> Tensor:
        pick = torch.randint(len(inputs), (64,), generator=generator)
        x, y = inputs[pick], targets[pick]
        return (net(x) - 10 * (y - x)).square().sum(2).mean()

    train(net.parameters(), loss, steps, 0.01, clip=1.0)
    return net.requires_grad_(False)


def noise_and_history(sigma: float = 0.03, seeds=(0, 1, 2), steps: int = 600) -> dict:
    """Root mean square errors by the number of frames seen, 1 to 8.

    The same balls, network, steps and seeds for every sigma; only the noise in the
    frames that are seen differs, and the targets are the true places. Beside the
    network stand rules that need no training: persistence, two frames, and the best
    straight line through four frames. A rule with weights w has noise of variance
    sigma² times the sum of w²: 5 sigma² for two frames, 1.5 sigma² for the line.

    Found after 8 frames, in box widths, the network with seeds 0, 1, 2:
                 sigma = 0              sigma = 0.03
    persistence  0.097                  0.105
    two frames   0.024                  0.093
    line         0.059                  0.076
    state        0.039  0.035  0.043    0.066  0.067  0.064
    Without noise nothing beats two frames; the line is bent by walls within its four.
    With noise two frames are hardly better than none, a longer history is, and the
    network is best. From 4 frames to 8 it still gains: 0.074 to 0.066, seed 0.
    """
    seen, truth = noisy(balls.load(2000, 9, seed=3), sigma, seed=5)
    inputs, targets = noisy(balls.load(4000, 9, seed=2), sigma, seed=4)
    guesses = {name: [guess] for name, guess in rules(seen).items()}
    nets = [trained(inputs, targets, seed, steps) for seed in seeds]
    guesses["state"] = [seen + net(seen) / 10 for net in nets]
    return {
        name: [(g - truth).square().sum(2).mean(0).sqrt().numpy() for g in each]
        for name, each in guesses.items()
    }


EXERCISES = Exercises(
    "sequences",
    Exercise(1, "*", next_place, two_frames, PLACE_MISTAKES),
    Exercise(2, "*", best_memoryless, share_of_ones, MEMORYLESS_MISTAKES),
    Exercise(3, "*", same_bag, short_sentence, BAG_MISTAKES),
    Exercise(4, "*", last_states, padded_states, LAST_MISTAKES),
    Exercise(5, "**", damping, anomalies, DAMPING_MISTAKES),
    Exercise(6, "***", noise_and_history, helpers=(Tracker, noisy, rules, trained)),
)
check, solution = EXERCISES.check, EXERCISES.solution
