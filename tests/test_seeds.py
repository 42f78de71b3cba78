"""The one function that makes runs repeatable."""

import random

import numpy as np
import torch

from course_lib.seeds import set_seed


def draw(seed):
    rng = set_seed(seed)
    return [random.random(), np.random.rand(), torch.rand(1).item(), rng.random()]  # noqa: NPY002


def test_equal_seeds_give_equal_numbers_everywhere():
    assert draw(3) == draw(3)
    assert all(a != b for a, b in zip(draw(3), draw(5), strict=True))


def test_one_thread():
    torch.set_num_threads(2)
    set_seed()
    assert torch.get_num_threads() == 1
