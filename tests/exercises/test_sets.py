"""Exercise checks of lecture 14: right answers pass, named mistakes are named."""

import numpy as np
import torch
import torch.nn.functional as F
from exercise_cases import exercise_tests

from course_lib.exercises import sets as ex


def weights(x, known, ell):
    scores = torch.from_numpy(-((known - x) ** 2) / (2 * ell**2))
    return scores.softmax(dim=0).numpy()


def soft(scores):
    return np.exp(scores) / np.exp(scores).sum()


def cut(image, p):
    pieces = F.unfold(torch.from_numpy(image)[None, None], p, stride=p)
    return pieces[0].T.numpy()


def break_even(M, d):
    """N^2 - 2MN - 4Md > 0"""
    return int(M + np.sqrt(M * M + 4 * M * d)) + 1


def found(scores):
    return np.mean([np.argmax(column) == c for c, column in enumerate(scores.T)])


RIGHT = [
    (ex.check_kernel_weights, weights),
    (ex.check_patches, cut),
    (ex.check_break_even, break_even),
    (ex.check_pictures_found, found),
]
WRONG = [
    (
        ex.check_kernel_weights,
        lambda x, k, w: np.exp(-((x - k) ** 2) / (2 * w * w)),
        "add up to 1",
    ),
    (ex.check_kernel_weights, lambda x, k, w: soft(-((x - k) ** 2) / w**2), "The 2 in"),
    (
        ex.check_kernel_weights,
        lambda x, k, w: soft(-((x - k) ** 2) / (2 * w)),
        "ell must be squared",
    ),
    (
        ex.check_kernel_weights,
        lambda x, k, w: soft(-abs(x - k) / (2 * w * w)),
        "distance must be",
    ),
    (
        ex.check_kernel_weights,
        lambda x, k, w: soft((x - k) ** 2 / (2 * w * w)),
        "sign is wrong",
    ),
    (
        ex.check_kernel_weights,
        lambda x, k, w: -((x - k) ** 2) / (2 * w * w),
        "softmax is missing",
    ),
    (ex.check_patches, lambda i, p: i.reshape(-1, p * p), "plain reshape"),
    (
        ex.check_patches,
        lambda i, p: cut(i, p).reshape(-1, p, p).transpose(0, 2, 1).reshape(-1, p * p),
        "down the columns; they should run along rows",
    ),
    (
        ex.check_patches,
        lambda i, p: cut(i, p).reshape(2, 3, -1).transpose(1, 0, 2).reshape(-1, p * p),
        "patches run down",
    ),
    (ex.check_patches, lambda i, p: cut(i, p).reshape(2, 3, p, p), "four axes"),
    (ex.check_patches, lambda i, p: cut(i, p).T, "has shape (4, 6)"),
    (ex.check_break_even, lambda M, d: 2 * M + 1, "scores alone"),
    (ex.check_break_even, lambda M, d: break_even(M, d) - 1, "one more"),
    (ex.check_break_even, lambda M, d: M + 1, "two halves"),
    (ex.check_break_even, lambda M, d: 2 * M, "all terms"),
    (ex.check_break_even, lambda M, d: 99, "expected"),
    (
        ex.check_pictures_found,
        lambda s: np.mean(s.argmax(axis=1) == range(5)),
        "share of pictures",
    ),
    (ex.check_pictures_found, lambda s: 5 * found(s), "divide by"),
    (ex.check_pictures_found, lambda s: 1 - found(s), "that fail"),
    (ex.check_pictures_found, lambda s: s.argmax(axis=0) == range(5), "take the mean"),
]


test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
