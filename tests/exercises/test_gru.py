"""Exercises of lecture 05: other right answers pass, mistakes are named."""

import numpy as np
import torch
from exercise_cases import variants
from torch import nn

from course_lib.exercises.gru import EXERCISES, SmallGRU, recall_accuracy
from course_lib.numpy_cells.gru import GRUWeights, gru_forward


def keeps_half(n):
    return -np.log(1 / (1 - 2 ** (-1 / n)) - 1)


def coupled_loop(f, candidate, steps):
    c = 0.0
    for _ in range(steps):
        c = f * c + (1 - f) * candidate
    return c


def standard_loop(f, candidate, steps, i=None):
    c = 0.0
    for _ in range(steps):
        c = f * c + (f if i is None else i) * candidate
    return c


def gru_by_torch(x, h, W_x, W_h, b_x, b_h, order="rzn"):
    """The outside truth: torch's own cell, with the blocks in the given order."""
    cell = nn.GRUCell(x.shape[1], h.shape[1], dtype=torch.float64)
    index = [order.index(block) for block in "rzn"]
    put = lambda a: torch.tensor(  # noqa: E731
        np.concatenate([np.split(a, 3)[k] for k in index])
    )
    cell.weight_ih.data, cell.weight_hh.data = put(W_x), put(W_h)
    cell.bias_ih.data, cell.bias_hh.data = put(b_x), put(b_h)
    return cell(torch.tensor(x), torch.tensor(h)).detach().numpy()


def gru_flipped(x, h, W_x, W_h, b_x, b_h):
    d = h.shape[1]
    new = gru_by_torch(x, h, W_x, W_h, b_x, b_h)
    z = 1 / (1 + np.exp(-(x @ W_x.T + b_x + h @ W_h.T + b_h)[:, d : 2 * d]))
    n = (new - z * h) / (1 - z)
    return (1 - z) * h + z * n


def one_bracket(x, h, W_x, W_h, b_x, b_h, use_r=False):
    """All three blocks treated alike; or r where it belongs, but no tanh."""
    r, z, n = np.split(x @ W_x.T + b_x + h @ W_h.T + b_h, 3, axis=1)
    r, z = 1 / (1 + np.exp(-r)), 1 / (1 + np.exp(-z))
    inner = np.split(h @ W_h.T + b_h, 3, axis=1)[2]
    n = n - inner + r * inner if use_r else np.tanh(n)
    return n + z * (h - n)


def candidate_with_a_sigmoid(x, h, W_x, W_h, b_x, b_h):
    (x_r, x_z, x_n), (h_r, h_z, h_n) = (
        np.split(a, 3, axis=1) for a in (x @ W_x.T + b_x, h @ W_h.T + b_h)
    )
    r, z = 1 / (1 + np.exp(-x_r - h_r)), 1 / (1 + np.exp(-x_z - h_z))
    return z * h + (1 - z) / (1 + np.exp(-x_n - r * h_n))


def gru_of_the_library(x, h, W_x, W_h, b_x, b_h, **options):
    """The course's own cell; it has one bias, and the candidate's block is first."""
    blocks = lambda a: np.concatenate([np.split(a, 3)[k] for k in (2, 1, 0)])  # noqa: E731
    weights = GRUWeights(blocks(W_x), blocks(W_h), blocks(b_x) + blocks(b_h))
    return gru_forward(weights, x[:, None], h, **options)[0][:, 0]


def loose_bias(x, h, W_x, W_h, b_x, b_h):
    return gru_of_the_library(x, h, W_x, W_h, b_x, b_h, flipped=True, reset_after=True)


def reset_of_all(x, h, W_x, W_h, b_x, b_h):
    """The reset gate in front of the input, too."""
    d = h.shape[1]
    a, b = x @ W_x.T + b_x, h @ W_h.T + b_h
    r, z = (1 / (1 + np.exp(-(a + b)[:, k * d : (k + 1) * d])) for k in (0, 1))
    return z * h + (1 - z) * np.tanh(r * (a + b)[:, 2 * d :])


RIGHT = [
    (1, keeps_half),
    (2, coupled_loop),
    (3, gru_by_torch),
]
WRONG = [
    (1, lambda n: -keeps_half(n), "PyTorch's sign"),
    (1, lambda n: 1 - 2 ** (-1 / n), "value of z"),
    (1, lambda n: 2 ** (-1 / n), "share 1 - z"),
    (1, lambda n: 0.0, "halves the memory at every step"),
    (1, lambda n: -np.log(n - 1), "1/e"),
    (1, lambda n: -np.log(2) / n, "log(1 - z)"),
    (1, lambda n: round(keeps_half(n), 2), "expected"),
    (2, standard_loop, "standard LSTM"),
    (2, lambda f, x, n: standard_loop(f, x, n, i=1), "in full"),
    (2, lambda f, x, n: coupled_loop(f, x, n - 1), "too few"),
    (2, lambda f, x, n: coupled_loop(f, x, n + 1), "too many"),
    (2, lambda f, x, n: f**n * x, "old"),
    (2, lambda f, x, n: 1 - f**n, "candidate is missing"),
    (3, one_bracket, "r is not used"),
    (3, lambda *a: one_bracket(*a, use_r=True), "its tanh"),
    (3, candidate_with_a_sigmoid, "Only gates have a sigmoid"),
    (3, gru_flipped, "z is the other way round: in torch"),
    (
        3,
        lambda *a: gru_of_the_library(*a, flipped=True),
        "r acts before the product; torch",
    ),
    (3, gru_of_the_library, "z is the other way round, and r"),
    (3, loose_bias, "inside the bracket"),
    (3, reset_of_all, "recurrent part only"),
    (3, lambda *a: gru_by_torch(*a, order="zrn"), "you read z, r, n"),
    (3, lambda *a: gru_by_torch(*a, order="nzr"), "candidate first"),
    (3, lambda *a: gru_by_torch(*a[:-1], 0 * a[-1]), "second biases"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_cell_of_the_open_exercise_is_the_librarys():
    torch.manual_seed(0)
    net, x = SmallGRU(3, 5, reset=True).double(), torch.randn(2, 7, 3).double()
    (W_g, b_g), (W_c, b_c) = (
        [value.detach().numpy() for value in layer.parameters()]
        for layer in (net.gates, net.candidate)
    )
    W, b = np.concatenate([W_c, W_g]), np.concatenate([b_c, b_g])
    h, _ = gru_forward(GRUWeights(W[:, :3], W[:, 3:], b), x.numpy())
    np.testing.assert_allclose(net(x).detach(), h[:, -1], atol=1e-12)


def test_the_open_exercise_trains():
    assert recall_accuracy(reset=False, width=16, gap=3, seed=0) > 0.9
