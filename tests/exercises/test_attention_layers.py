"""Exercises of lecture 09: other right answers pass, mistakes are named."""

import numpy as np
import torch
import torch.nn.functional as F
from exercise_cases import variants

from course_lib.exercises.attention_layers import EXERCISES, Reader, window_loss


def read(q, K, V):
    q, K, V = map(torch.from_numpy, (q, K, V))
    return F.scaled_dot_product_attention(q[None], K, V)[0].numpy()


def soft(scores):
    return np.exp(scores) / np.exp(scores).sum()


def band(N, low, high):
    """True where low <= query - key <= high."""
    n, m = np.indices((N, N))
    return (n - m >= low) & (n - m <= high)


def mask_by_loops(N, w):
    return [[0 <= n - m < w for m in range(N)] for n in range(N)]


def heads(x, H):
    return np.stack(np.split(x, H, axis=2), axis=1)


def cost(N, M, d, H):
    projections = N * d * d + M * d * d + M * d * d + N * d * d
    return projections + H * (N * M * (d // H)) * 2


RIGHT = [
    (1, read),
    (2, lambda d, mu, s: d * ((s**2 + mu**2) ** 2 - mu**4)),
    (3, lambda N, w: band(N, 0, w - 1)),
    (3, mask_by_loops),
    (3, lambda N, w: np.tri(N, dtype=bool) & ~np.tri(N, k=-w, dtype=bool)),
    (4, heads),
    (4, lambda x, H: torch.stack(torch.from_numpy(x).chunk(H, dim=2), dim=1).numpy()),
    (5, cost),
]
WRONG = [
    (1, lambda q, K, V: soft(K @ q) @ V, "is missing"),
    (1, lambda q, K, V: soft(K @ q) @ V / len(q) ** 0.5, "inside the softmax"),
    (1, lambda q, K, V: soft(K @ q / len(q)) @ V, "divided by d_q"),
    (1, lambda q, K, V: soft(K @ q / len(K) ** 0.5) @ V, "number of keys"),
    (1, lambda q, K, V: soft(K @ q / len(q) ** 0.5), "weighted sum"),
    (1, lambda q, K, V: V[np.argmax(K @ q)], "hard attention"),
    (1, lambda q, K, V: np.exp(K @ q / len(q) ** 0.5) @ V, "divided by their sum"),
    (1, lambda q, K, V: V.mean(axis=0), "expected"),
    (2, lambda d, mu, s: d * s**4, "mean 0"),
    (2, lambda d, mu, s: d * (1 + 2 * mu**2), "left out s"),
    (2, lambda d, mu, s: d * (s**2 + mu**2) ** 2, "subtract"),
    (2, lambda d, mu, s: (d * (s**4 + 2 * mu**2 * s**2)) ** 0.5, "standard deviation"),
    (2, lambda d, mu, s: s**4 + 2 * mu**2 * s**2, "one entry"),
    # right at mu = 1/2 and s = 2 only
    (2, lambda d, mu, s: d * (s**4 + mu * s**2), "expected"),
    (2, lambda d, mu, s: d * (s**4 + s), "expected"),
    (3, lambda N, w: ~band(N, 0, w - 1), "may look"),
    (3, lambda N, w: band(N, 0, w), "w + 1"),
    (3, lambda N, w: band(N, 1 - w, w - 1), "also looks ahead"),
    (3, lambda N, w: band(N, 1 - w, 0), "not back"),
    (3, lambda N, w: band(N, 0, N), "too far back"),
    (3, lambda N, w: band(N, 1, w - 1), "diagonal"),
    (4, lambda x, H: x.reshape(len(x), H, x.shape[1], -1), "mixes time"),
    (4, lambda x, H: x.reshape(*x.shape[:2], H, -1), "after the time"),
    (
        4,
        lambda x, H: np.moveaxis(x.reshape(*x.shape[:2], -1, H), 3, 1),
        "neighbouring",
    ),
    (5, lambda N, M, d, H: 2 * N * M * d, "projections are"),
    (5, lambda N, M, d, H: cost(N, M, d, H) - N * d * d, "W_O"),
    (5, lambda N, M, d, H: cost(N, M, d, H) + (H - 1) * 2 * N * M * d, "one wide head"),
    (5, lambda N, M, d, H: 4 * N * d * d + 2 * N * M * d, "M positions"),
    (5, lambda N, M, d, H: cost(N, M, d, H) - N * M * d, "as much again"),
    (5, lambda N, M, d, H: 2 * cost(N, M, d, H), "a pair"),
    (5, lambda N, M, d, H: 99, "expected"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_the_window_of_the_open_exercise_hides_what_it_says():
    torch.manual_seed(0)
    model, letters = Reader(3), torch.randint(78, (1, 32))
    logits = model(letters)
    for place, reaches in [(10, True), (9, False), (13, False)]:
        other = letters.clone()
        other[0, place] = (other[0, place] + 1) % 78
        moved = (model(other) - logits)[0, 12].abs().max().item()
        assert (moved > 1e-4) == reaches, place


def test_the_open_exercise_trains():
    assert window_loss(2, seed=0, steps=40) < 3.2
