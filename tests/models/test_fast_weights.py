"""Memories that are matrices: chunks equal steps, and steps equal what is written."""

import pytest
import torch

from course_lib.check import max_difference
from course_lib.models.efficient import causal_sums
from course_lib.models.fast_weights import (
    decayed,
    decayed_steps,
    delta_rule,
    delta_rule_steps,
)

B, H, T, K, V = 2, 3, 23, 5, 7


@pytest.fixture
def inputs():
    generator = torch.Generator().manual_seed(0)
    draw = lambda *s: torch.randn(*s, generator=generator, dtype=torch.float64)  # noqa: E731
    log_g = -draw(B, H, T).abs()
    return [draw(B, H, T, K), draw(B, H, T, K), draw(B, H, T, V), log_g]


@pytest.mark.parametrize("chunk", [1, 4, 23, 64])
def test_chunks_equal_steps_with_gradients(inputs, chunk):
    state = torch.randn(B, H, K, V, dtype=torch.float64)
    inputs = [x.requires_grad_() for x in (*inputs, state)]
    results = []
    for run in (lambda *x: decayed(*x, chunk=chunk), decayed_steps):
        out, last = run(*inputs)
        loss = out.square().sum() + last.sin().sum()
        results.append((out, last, *torch.autograd.grad(loss, inputs)))
    for got, expected in zip(*results, strict=True):
        assert max_difference(got, expected) < 1e-10


@pytest.mark.parametrize("chunk", [1, 4, 23, 64])
def test_chunks_of_the_delta_rule_equal_its_steps_with_gradients(inputs, chunk):
    q, k, v, log_g = inputs
    state = torch.randn(B, H, K, V, dtype=torch.float64)
    k, beta = k / k.norm(dim=-1, keepdim=True), log_g.exp()
    inputs = [x.detach().requires_grad_() for x in (q, k, v, beta, state)]
    results = []
    for run in (lambda *x: delta_rule(*x, chunk=chunk), delta_rule_steps):
        out, last = run(*inputs)
        loss = out.square().sum() + last.sin().sum()
        results.append((out, last, *torch.autograd.grad(loss, inputs)))
    for got, expected in zip(*results, strict=True):
        assert max_difference(got, expected) < 1e-9


def test_a_strong_decay_does_not_overflow(inputs):
    q, k, v, log_g = inputs
    out, state = decayed(q, k, v, 500 * log_g)
    assert torch.isfinite(out).all()
    assert torch.isfinite(state).all()
    assert max_difference(out, decayed_steps(q, k, v, 500 * log_g)[0]) < 1e-10


def test_without_decay_it_is_causal_linear_attention(inputs):
    q, k, v, log_g = inputs
    out, _ = decayed(q, k, v, torch.zeros_like(log_g))
    assert max_difference(out, causal_sums(q, k, v, 4)) < 1e-12


def test_the_state_can_be_carried_on(inputs):
    first, second = (
        [x[:, :, part] for x in inputs] for part in (slice(9), slice(9, T))
    )
    for run in (decayed, decayed_steps):
        whole, last = run(*inputs)
        out_1, state = run(*first)
        out_2, end = run(*second, state)
        assert max_difference(torch.cat([out_1, out_2], dim=2), whole) < 1e-12
        assert max_difference(end, last) < 1e-12


def test_the_delta_rule_is_a_step_of_gradient_descent(inputs):
    q, k, v, _ = (x[0, 0] for x in inputs)
    beta = torch.rand(T, dtype=torch.float64)
    out, S = delta_rule_steps(q, k, v, beta)
    memory = torch.zeros(K, V, dtype=torch.float64, requires_grad=True)
    for t in range(T):
        loss = (v[t] - k[t] @ memory).square().sum() / 2
        (gradient,) = torch.autograd.grad(loss, memory)
        memory = (memory - beta[t] * gradient).detach().requires_grad_()
        assert max_difference(out[t], q[t] @ memory) < 1e-10
    assert max_difference(S, memory) < 1e-10


def test_the_delta_rule_overwrites_and_the_sum_does_not():
    k = torch.eye(3, dtype=torch.float64)[[0, 1, 0]]
    v = torch.tensor([[1.0], [2.0], [5.0]], dtype=torch.float64)
    one = torch.ones(3, dtype=torch.float64)
    assert delta_rule(k, k, v, one)[0].flatten().tolist() == [1.0, 2.0, 5.0]
    assert decayed(k, k, v, 0 * one)[0].flatten().tolist() == [1.0, 2.0, 6.0]


def test_a_chunk_is_not_empty(inputs):
    q, k, v, log_g = inputs
    with pytest.raises(ValueError, match="at least one position"):
        decayed(q, k, v, log_g, chunk=0)
    with pytest.raises(ValueError, match="at least one position"):
        delta_rule(q, k, v, log_g, chunk=0)
