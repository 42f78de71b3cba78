"""Exercises of lecture 14: other right answers pass, mistakes are named."""

import math

import numpy as np
import pytest
import torch

from course_lib.exercises.exercise import examine
from course_lib.exercises.sets import EXERCISES, frozen_or_not, sets_of_clusters


def mean_by_mask(x, n):
    real = np.arange(len(x)) < n
    return (x * real[:, None]).sum(axis=0) / max(real.sum(), 1)


def pool_by_torch(q, x):
    keys = torch.from_numpy(x)[None]
    query = torch.from_numpy(q)[None, None]
    read = torch.nn.functional.scaled_dot_product_attention(query, keys, keys)
    return read[0, 0].numpy()


def root(M, d):
    """N² − 2MN − 4Md > 0"""
    return int(M + np.sqrt(M * M + 4 * M * d)) + 1


RIGHT = {
    1: mean_by_mask,
    2: pool_by_torch,
    3: root,
    5: lambda x, known, ell: (
        torch.from_numpy(-((known - x) ** 2) / (2 * ell**2)).softmax(dim=0).numpy()
    ),
}
WRONG = [
    (1, lambda x, n: x[:n].sum(axis=0) / len(x), "padded length"),
    (1, lambda x, n: x.mean(axis=0), "padding included"),
    (1, lambda x, n: sum(x[i] for i in range(n + 1)) / (n + 1), "rows 0 to n − 1"),
    (1, lambda x, n: np.median(x[:n], axis=0) if n else 0 * x[0], "wrong"),
    (2, lambda q, x: x.mean(axis=0), "query is not used"),
    (2, lambda q, x: pool_by_torch(q * len(q), x), "divide"),
    (
        2,
        lambda q, x: pool_by_torch(q * (len(q) / len(x)) ** 0.5, x),
        "not their number",
    ),
    (2, lambda q, x: (np.exp(x @ q) / np.exp(x @ q).sum()) @ x, "√d is missing"),
    (3, lambda M, d: 2 * M + 1, "scores alone"),
    (3, lambda M, d: root(M, d) - 1, "one more"),
    (3, lambda M, d: M + (M * M + 4 * M * d) ** 0.5, "next whole number"),
    (3, lambda M, d: math.ceil(M + math.sqrt(M * M + 4 * M * d)), "both are level"),
    (3, lambda d, M: root(M, d), "changed places"),
    (3, lambda M, d: 99, "wrong"),
    (5, lambda x, k, w: np.exp(-((x - k) ** 2) / (2 * w * w)), "add up to 1"),
    (5, lambda x, k, w: -((x - k) ** 2) / (2 * w * w), "softmax is missing"),
]


@pytest.mark.parametrize(("number", "answer"), RIGHT.items())
def test_other_right_answers_pass(number, answer):
    assert examine(EXERCISES[number], answer) == "right"


@pytest.mark.parametrize(("number", "answer", "words"), WRONG)
def test_mistakes_as_students_write_them_are_named(number, answer, words):
    assert words in examine(EXERCISES[number], answer)


def test_the_means_of_the_clusters_are_those_of_their_points():
    x, means = sets_of_clusters(3, torch.Generator().manual_seed(0))
    for points, named in zip(x, means, strict=True):
        for mean in named.unique(dim=0):
            own = (named == mean).all(dim=1)
            assert torch.allclose(points[own].mean(dim=0), mean, atol=1e-5)


def test_the_experiment_runs_and_a_frozen_point_stays():
    errors = frozen_or_not(seeds=1, steps=2)
    assert list(errors) == ["learned", "frozen", "all equal"]
    assert all(0 < error < 10 for values in errors.values() for error in values)
