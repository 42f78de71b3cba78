"""Exercises of lecture 05, the GRU and its relatives."""

import numpy as np
import torch
from numpy.random import Generator
from torch import nn

from course_lib.data.tasks import recall
from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.train import train


def update_bias(n: int) -> float:
    """The share r = 1 - z with r^n = 1/2, and the bias b with sigmoid(b) = 1 - r."""
    r = 0.5 ** (1 / n)
    return np.log((1 - r) / r)


def step_count(rng: Generator) -> tuple:
    return (int(rng.integers(5, 90)),)


UPDATE_MISTAKES = {
    "That is PyTorch's sign, where z keeps; here z replaces.": (
        lambda n: -update_bias(n)
    ),
    "That is the value of z; the sigmoid makes it from the bias.": (
        lambda n: 1 - 0.5 ** (1 / n)
    ),
    "That is the share 1 - z that is kept; the bias belongs to z.": (
        lambda n: 0.5 ** (1 / n)
    ),
    "That bias gives z = 1/2, which halves the memory at every step.": lambda n: 0.0,
    "That is log(1 - z); the bias is log(z / (1 - z)).": lambda n: np.log(0.5) / n,
    "With this gate, z = 1/n, the share left is about 1/e, not one half.": (
        lambda n: -np.log(n - 1)
    ),
}


def coupled_count(f: float, candidate: float, steps: int) -> float:
    """A geometric sum with the weights (1 - f) f^k: the fraction cancels."""
    return (1 - f**steps) * candidate


def constant_gates(rng: Generator) -> tuple:
    f, candidate = rng.uniform(0.6, 0.95), rng.uniform(-0.9, 0.9)
    return round(float(f), 2), round(float(candidate), 2), int(rng.integers(3, 20))


COUNT_MISTAKES = {
    "That is the standard LSTM with i = f; here i is tied to 1 - f.": (
        lambda f, candidate, n: f * candidate * (1 - f**n) / (1 - f)
    ),
    "You added the candidate in full; it enters with weight 1 - f.": (
        lambda f, candidate, n: candidate * (1 - f**n) / (1 - f)
    ),
    "That is one step too few: after n steps the exponent is n.": (
        lambda f, candidate, n: (1 - f ** (n - 1)) * candidate
    ),
    "That is one step too many: after n steps the exponent is n.": (
        lambda f, candidate, n: (1 - f ** (n + 1)) * candidate
    ),
    "That is how much of the *old* state is left; here it was 0.": (
        lambda f, candidate, n: f**n * candidate
    ),
    "The candidate is missing: the limit of c is the candidate, not 1.": (
        lambda f, candidate, n: 1 - f**n
    ),
}


def sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))


def torch_gru_step(
    x: np.ndarray,
    h: np.ndarray,
    W_x: np.ndarray,
    W_h: np.ndarray,
    b_x: np.ndarray,
    b_h: np.ndarray,
) -> np.ndarray:
    """Blocks r, z, n; the reset gate after the product; an open z keeps."""
    x_r, x_z, x_n = np.split(x @ W_x.T + b_x, 3, axis=1)
    h_r, h_z, h_n = np.split(h @ W_h.T + b_h, 3, axis=1)
    r, z = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
    n = np.tanh(x_n + r * h_n)
    return z * h + (1 - z) * n


def one_step(rng: Generator) -> tuple:
    B, d_x, d_h = 2, 3, int(rng.choice([2, 5]))
    sizes = (B, d_x), (B, d_h), (3 * d_h, d_x), (3 * d_h, d_h), (3 * d_h,), (3 * d_h,)
    return tuple(rng.standard_normal(size) for size in sizes)


def _reset_first(x, h, W_x, W_h, b_x, b_h, keeps: bool = True, loose: bool = False):
    """r before the product, or after it but with b_hn outside the bracket."""
    d = h.shape[1]
    gates = sigmoid((x @ W_x.T + b_x + h @ W_h.T + b_h)[:, : 2 * d])
    r, z = gates[:, :d], gates[:, d:]
    W, b = W_h[2 * d :], b_h[2 * d :]
    inner = r * (h @ W.T) if loose else (r * h) @ W.T
    n = np.tanh((x @ W_x.T + b_x)[:, 2 * d :] + inner + b)
    return z * h + (1 - z) * n if keeps else (1 - z) * h + z * n


def _with_wrong(what: str):
    """r open for good, or the candidate without its tanh, or with a sigmoid."""

    def mistake(x, h, W_x, W_h, b_x, b_h):
        a_x, a_h = (np.split(a, 3, axis=1) for a in (x @ W_x.T + b_x, h @ W_h.T + b_h))
        r, z = sigmoid(a_x[0] + a_h[0]), sigmoid(a_x[1] + a_h[1])
        n = a_x[2] + (1.0 if what == "r" else r) * a_h[2]
        squash = {"tanh": lambda a: a, "sigmoid": sigmoid}.get(what, np.tanh)
        return z * h + (1 - z) * squash(n)

    return mistake


def _replaces(x, h, W_x, W_h, b_x, b_h):
    """z the other way round: the rows of z negated."""
    d = h.shape[1]
    sign = np.repeat([1.0, -1.0, 1.0], d)
    turned = (W_x * sign[:, None], W_h * sign[:, None], b_x * sign, b_h * sign)
    return torch_gru_step(x, h, *turned)


def _reordered(*order: int):
    """Reads the blocks as if they stood in another order."""

    def mistake(x, h, *weights):
        moved = (np.concatenate([np.split(w, 3)[k] for k in order]) for w in weights)
        return torch_gru_step(x, h, *moved)

    return mistake


def _reset_everything(x, h, W_x, W_h, b_x, b_h):
    """n = tanh(r * (all of the pre-activation)), the gates as they should be."""
    x_r, x_z, x_n = np.split(x @ W_x.T + b_x, 3, axis=1)
    h_r, h_z, h_n = np.split(h @ W_h.T + b_h, 3, axis=1)
    r, z = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
    return z * h + (1 - z) * np.tanh(r * (x_n + h_n))


STEP_MISTAKES = {
    "z is the other way round: in torch z = 1 keeps the old state.": _replaces,
    "r acts before the product; torch computes r * (W_hn h + b_hn).": _reset_first,
    "z is the other way round, and r acts before the product.": (
        lambda *arguments: _reset_first(*arguments, keeps=False)
    ),
    "b_hn belongs inside the bracket that r multiplies.": (
        lambda *arguments: _reset_first(*arguments, loose=True)
    ),
    "The blocks stand in the order r, z, n; you read z, r, n.": _reordered(1, 0, 2),
    "The blocks stand in the order r, z, n; you read the candidate first.": (
        _reordered(2, 1, 0)
    ),
    "r is not used: it multiplies the recurrent part of the candidate.": _with_wrong(
        "r"
    ),
    "r multiplies the recurrent part only, not what comes from the input.": (
        _reset_everything
    ),
    "The candidate n needs its tanh.": _with_wrong("tanh"),
    "Only gates have a sigmoid; the candidate n has a tanh.": _with_wrong("sigmoid"),
    "You left the second biases out: b_h belongs to every block.": (
        lambda x, h, W_x, W_h, b_x, b_h: torch_gru_step(x, h, W_x, W_h, b_x, 0 * b_h)
    ),
}


class SmallGRU(nn.Module):
    """A GRU in the course's convention; without a reset gate, r is 1."""

    def __init__(self, d_x: int, d_h: int, reset: bool, keep: float = 3.0) -> None:
        super().__init__()
        self.d_h, self.reset = d_h, reset
        self.gates = nn.Linear(d_x + d_h, 2 * d_h if reset else d_h)
        self.candidate = nn.Linear(d_x + d_h, d_h)
        self.gates.bias.data[:d_h] -= keep  # z starts nearly shut

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x.new_zeros(len(x), self.d_h)
        for x_t in x.unbind(1):
            gates = torch.sigmoid(self.gates(torch.cat([x_t, h], 1)))
            z = gates[:, : self.d_h]
            seen = gates[:, self.d_h :] * h if self.reset else h
            h_tilde = torch.tanh(self.candidate(torch.cat([x_t, seen], 1)))
            h = (1 - z) * h + z * h_tilde
        return h


def recall_accuracy(reset: bool, width: int, gap: int, seed: int) -> float:
    """Train on recall for 150 steps; accuracy on 500 new sequences."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    net, head = SmallGRU(9, width, reset), nn.Linear(width, 4)

    def loss(_step: int) -> torch.Tensor:
        x, y_star = recall(generator, 32, gap)
        return nn.functional.cross_entropy(head(net(x)), y_star)

    train([*net.parameters(), *head.parameters()], loss, 150, lr=0.01, clip=1.0)
    x, y_star = recall(generator, 500, gap)
    with torch.no_grad():
        return (head(net(x)).argmax(1) == y_star).float().mean().item()


def reset_compared(seeds: int = 4, gaps: tuple[int, ...] = (10, 30)) -> dict:
    """With a reset gate, and without one at equal width and at equal parameters.

    Width 16 with three blocks has 1,248 parameters in the cell, width 21 with two has
    1,302. On recall all 24 networks were right on all new sequences: nothing in this
    task asks for a fresh start. So the result says little about the reset gate. A task
    that needs one has sequences that follow one another without a border, as sentences
    in a text do; that is the experiment to run next.
    """
    kinds = {"reset": (True, 16), "none": (False, 16), "none, wider": (False, 21)}
    return {
        (name, gap): [recall_accuracy(*kind, gap, seed) for seed in range(seeds)]
        for name, kind in kinds.items()
        for gap in gaps
    }


EXERCISES = Exercises(
    "gru",
    Exercise(1, "*", update_bias, step_count, UPDATE_MISTAKES),
    Exercise(2, "*", coupled_count, constant_gates, COUNT_MISTAKES),
    Exercise(3, "**", torch_gru_step, one_step, STEP_MISTAKES, helpers=(sigmoid,)),
    Exercise(4, "***", reset_compared, helpers=(SmallGRU, recall_accuracy)),
)
check, solution = EXERCISES.check, EXERCISES.solution
