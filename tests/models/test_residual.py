"""Residual connections: where the norm stands, and what is passed on."""

import torch
from torch import nn

from course_lib.models.residual import residual, residual_and

B, N, D = 2, 3, 5


def parts() -> tuple[torch.Tensor, nn.LayerNorm, nn.Linear]:
    torch.manual_seed(0)
    norm = nn.LayerNorm(D)
    nn.init.normal_(norm.weight)
    return torch.randn(B, N, D), norm, nn.Linear(D, D)


def test_pre_norm_leaves_the_input_itself_in_the_sum():
    x, norm, f = parts()
    assert torch.equal(residual(x, norm, f, norm_first=True), x + f(norm(x)))


def test_post_norm_is_taken_of_the_sum():
    x, norm, f = parts()
    assert torch.equal(residual(x, norm, f, norm_first=False), norm(x + f(x)))
    pre = residual(x, norm, f, norm_first=True)
    assert not torch.allclose(residual(x, norm, f, norm_first=False), pre)


def test_what_else_a_sub_layer_returns_is_passed_on():
    x, norm, f = parts()
    for first in (True, False):
        seen = norm(x) if first else x
        out, rest = residual_and(x, norm, lambda z: (f(z), z), first)
        assert torch.equal(rest, seen)
        assert torch.equal(out, residual(x, norm, f, first))
