"""Exercises of lecture 11, pre-training."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from course_lib.exercises.verdict import judge


def check_heads(answer: Callable) -> None:
    """width / 64"""
    mistakes = {
        "That is BERT base; wider models have more heads, of the same width.": 12,
        "That is Megatron's rule, 96 columns a head; look at BERT: 768 / 12.": 1600
        / 96,
        "That is the width of one head; how many of them fit into 1600 columns?": 64,
        "That is the number of layers of this model.": 48,
    }
    judge("Exercise 1", answer, (1600,), 25, mistakes)


def check_size(answer: Callable) -> None:
    """L (12 d^2 + 13 d) + (V + C) d + 2 d"""
    L, d, V, C = 3, 20, 101, 37
    right = L * (12 * d**2 + 13 * d) + (V + C) * d + 2 * d
    mistakes = {
        "The places are missing: a learned vector for each of C positions.": right
        - C * d,
        "The read-out is the table of words again (tied); count it once.": right
        + V * d,
        "The last LayerNorm is missing: 2 d.": right - 2 * d,
        "The biases and norms of the layers are missing: 13 d in each.": (
            right - 13 * L * d
        ),
        "The two norms of each layer are missing: 4 d in each.": right - 4 * L * d,
        "The hidden width of the feed-forward network is 4 d: 8 d^2, not 2 d^2.": (
            right - L * (6 * d**2 + 3 * d)
        ),
        "Only one layer is counted; there are L.": (
            right - (L - 1) * (12 * d**2 + 13 * d)
        ),
        "That is the rule of thumb; here every parameter is wanted.": 12 * L * d**2,
    }
    judge("Exercise 2", answer, (L, d, V, C), right, mistakes)


def check_hide(answer: Callable) -> None:
    """u < 0.12: mask; 0.12 <= u < 0.135: a random word; otherwise unchanged"""
    rng = np.random.default_rng(4)
    words, u = rng.integers(10, 50, (7, 11)), rng.random((7, 11)) * 0.2
    other, mask = rng.integers(50, 90, (7, 11)), 5
    tensors = tuple(map(torch.from_numpy, (words, u, other)))

    def called(words: np.ndarray, u: np.ndarray, other: np.ndarray, mask: int) -> Any:
        got = answer(*(t.clone() for t in tensors), mask)
        return got.numpy() if isinstance(got, torch.Tensor) else got

    def made(low: float, high: float) -> np.ndarray:
        return np.where(u < low, mask, np.where(u < high, other, words))

    mistakes = {
        "All 15 % became the mask; a tenth of them must become a random word, and a "
        "tenth must stay.": made(0.15, 0.15),
        "The words that are shown unchanged are missing: 80, 10 and 10 per cent.": made(
            0.12, 0.15
        ),
        "The random words are missing.": made(0.12, 0.12),
        "80 % of all words are masked; it is 80 % of the chosen 15 %, u < 0.12.": made(
            0.8, 0.9
        ),
        "Mask and random word are exchanged.": np.where(
            u < 0.12, other, np.where(u < 0.135, mask, words)
        ),
    }
    right = made(0.12, 0.135)
    judge("Exercise 3", called, (words, u, other, mask), right, mistakes)


def check_pool(answer: Callable) -> None:
    """sum over the real words divided by their number"""
    rng = np.random.default_rng(5)
    states, lengths = rng.standard_normal((3, 5, 7)), np.array([5, 2, 1])
    real = np.arange(5) < lengths[:, None]

    def called(states: np.ndarray, real: np.ndarray) -> Any:
        got = answer(torch.from_numpy(states), torch.from_numpy(real))
        return got.detach().numpy() if isinstance(got, torch.Tensor) else got

    total = (states * real[..., None]).sum(axis=1)
    mistakes = {
        "Padding is averaged too: leave it out of the sum and out of the count.": (
            states.mean(axis=1)
        ),
        "The sum leaves padding out, but you divide by all N places.": total / 5,
        "That is the sum; divide by the number of words of each row.": total,
        "That is the vector of the first word; the mean over all is wanted.": (
            states[:, 0]
        ),
        "You divided by the number of words of the whole batch.": total / real.sum(),
    }
    judge("Exercise 4", called, (states, real), total / lengths[:, None], mistakes)
