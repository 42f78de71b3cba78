"""Exercises of lecture 10b: other right answers pass, mistakes are named."""

import torch
from exercise_cases import variants
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_lib.exercises.three_ways import EXERCISES, Rememberer, recalled
from course_lib.models.attention import MultiHeadAttention


def layers_one_by_one(N, k):
    layers, reach = 0, 0
    while reach < N - 1:
        layers, reach = layers + 1, reach + (k - 1) // 2
    return layers


def field_by_gradient(k, dilations):
    """The outside truth: which inputs have a gradient at the middle output."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        stack = nn.Sequential(
            *(
                nn.Conv1d(1, 1, k, dilation=d, padding=d * (k // 2), bias=False)
                for d in dilations
            )
        )
    for layer in stack:
        nn.init.ones_(layer.weight)
    x = torch.zeros(1, 1, 401, requires_grad=True)
    stack(x)[0, 0, 200].backward()
    touched = x.grad[0, 0].nonzero()
    return int(touched.max() - touched.min()) + 1


def counted(N, d):
    """The outside truth: torch's own counter on the course's layer."""
    with FlopCounterMode(display=False) as counter:
        MultiHeadAttention(d, 1)(torch.zeros(1, N, d))
    return counter.get_total_flops() // 2


RIGHT = [(1, layers_one_by_one), (2, field_by_gradient), (3, counted)]
WRONG = [
    (1, lambda N, k: -(-(N - 1) // (k - 1)), "to each side"),
    (1, lambda N, k: (N - 1) // ((k - 1) // 2), "Round up"),
    (1, lambda N, k: -(-N // ((k - 1) // 2)), "N - 1 steps"),
    (1, lambda N, k: 13, "expected"),
    (2, lambda k, dilations: sum((k - 1) * d for d in dilations), "1 is missing"),
    (2, lambda k, dilations: 1 + sum(k * d for d in dilations), "k - 1 gaps"),
    (2, lambda k, dilations: 1 + len(dilations) * (k - 1), "without their dilations"),
    (2, lambda k, dilations: 1 + (k - 1) * dilations[-1], "last layer"),
    (3, lambda N, d: counted(N, d) - N * N * d, "you counted one"),
    (3, lambda N, d: counted(N, d) - N * d * d, "four projections"),
    (3, lambda N, d: 2 * N * N * d, "projections are missing"),
    (3, lambda N, d: 2 * counted(N, d), "Multiply-adds"),
]


test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_three_rememberers_have_about_equal_parameters():
    widths = {"RNN": 31, "convolution": 26, "self-attention": 22}
    sizes = [
        sum(p.numel() for p in Rememberer(kind, width).parameters())
        for kind, width in widths.items()
    ]
    assert max(sizes) < 1.05 * min(sizes)


def test_the_convolution_cannot_see_the_cue():
    assert abs(recalled("convolution", 8, gap=5, seed=0, steps=3) - 0.25) < 0.12
