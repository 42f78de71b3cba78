"""Exercise checks of lecture 09: right answers pass, named mistakes are named."""

import numpy as np
import torch
import torch.nn.functional as F
from exercise_cases import exercise_tests

from course_lib.exercises import attention_layers as ex


def read(q, K, V):
    q, K, V = map(torch.from_numpy, (q, K, V))
    return F.scaled_dot_product_attention(q[None], K, V)[0].numpy()


def soft(scores):
    return np.exp(scores) / np.exp(scores).sum()


def band(N, low, high):
    """True where low <= query - key <= high."""
    n, m = np.indices((N, N))
    return (n - m >= low) & (n - m <= high)


def heads(x, H):
    return torch.stack(x.chunk(H, dim=2), dim=1)


def cost(N, M, d, H):
    projections = N * d * d + M * d * d + M * d * d + N * d * d
    return projections + H * (N * M * (d // H)) * 2


RIGHT = [
    (ex.check_read, read),
    (ex.check_score_variance, lambda d, mu, s: d * ((s**2 + mu**2) ** 2 - mu**4)),
    (ex.check_window_mask, lambda N, w: band(N, 0, w - 1)),
    (ex.check_window_mask, lambda N, w: torch.from_numpy(band(N, 0, w - 1))),
    (ex.check_split_heads, heads),
    (ex.check_multiply_adds, cost),
]
WRONG = [
    (ex.check_read, lambda q, K, V: soft(K @ q) @ V, "is missing"),
    (ex.check_read, lambda q, K, V: soft(K @ q) @ V / 5**0.5, "inside the softmax"),
    (ex.check_read, lambda q, K, V: soft(K @ q / 5) @ V, "divided by d_q"),
    (ex.check_read, lambda q, K, V: soft(K @ q / 7**0.5) @ V, "number of keys"),
    (ex.check_read, lambda q, K, V: soft(K @ q / 5**0.5), "weighted sum"),
    (ex.check_read, lambda q, K, V: V[np.argmax(K @ q)], "hard attention"),
    (ex.check_score_variance, lambda d, mu, s: d * s**4, "mean 0"),
    (ex.check_score_variance, lambda d, mu, s: d * (1 + 2 * mu**2), "left out s"),
    (ex.check_score_variance, lambda d, mu, s: d * (s**2 + mu**2) ** 2, "subtract"),
    (
        ex.check_score_variance,
        lambda d, mu, s: (d * (s**4 + 2 * mu**2 * s**2)) ** 0.5,
        "standard deviation",
    ),
    (ex.check_score_variance, lambda d, mu, s: s**4 + 2 * mu**2 * s**2, "one entry"),
    (ex.check_window_mask, lambda N, w: ~band(N, 0, w - 1), "may look"),
    (ex.check_window_mask, lambda N, w: band(N, 0, w), "w + 1"),
    (ex.check_window_mask, lambda N, w: band(N, 1 - w, w - 1), "also looks ahead"),
    (ex.check_window_mask, lambda N, w: band(N, 1 - w, 0), "not back"),
    (ex.check_window_mask, lambda N, w: band(N, 0, N), "too far back"),
    (ex.check_window_mask, lambda N, w: band(N, 1, w - 1), "diagonal"),
    (ex.check_split_heads, lambda x, H: x.reshape(2, H, 5, 7), "mixes time"),
    (ex.check_split_heads, lambda x, H: x.reshape(2, 5, H, 7), "after the time"),
    (
        ex.check_split_heads,
        lambda x, H: x.reshape(2, 5, 7, H).permute(0, 3, 1, 2),
        "neighbouring",
    ),
    (ex.check_multiply_adds, lambda N, M, d, H: 2 * N * M * d, "projections are"),
    (ex.check_multiply_adds, lambda N, M, d, H: cost(N, M, d, H) - N * d * d, "W_o"),
    (
        ex.check_multiply_adds,
        lambda N, M, d, H: cost(N, M, d, H) + (H - 1) * 2 * N * M * d,
        "one wide head",
    ),
    (
        ex.check_multiply_adds,
        lambda N, M, d, H: 4 * N * d * d + 2 * N * M * d,
        "M positions",
    ),
    (
        ex.check_multiply_adds,
        lambda N, M, d, H: cost(N, M, d, H) - N * M * d,
        "as much again",
    ),
    (ex.check_multiply_adds, lambda N, M, d, H: 2 * cost(N, M, d, H), "a pair"),
    (ex.check_multiply_adds, lambda N, M, d, H: 99, "expected"),
]


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
