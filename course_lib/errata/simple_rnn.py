"""Lecture 02: the simple recurrent network and its gradient."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
import numpy as np
import torch
from torch import nn

from course_lib.errata.evidence import (
    CONVENTION,
    attempt,
    decide,
    fresh,
    jacobian,
    numbers,
)
from course_lib.numpy_cells import RNNWeights, rnn_backward, rnn_forward

T, D_X, D_H = 7, 3, 5


def example() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """W_h (5, 5), W_x (5, 3) and inputs x (7, 3) of a small tanh network."""
    return numbers(1, D_H, D_H) / 2, numbers(2, D_H, D_X) / 2, numbers(3, T, D_X)


def run(
    W_h: torch.Tensor, W_x: torch.Tensor, x: torch.Tensor, h: torch.Tensor
) -> torch.Tensor:
    """The states h_1, ..., h_T, one row each: h_t = tanh(W_h h_{t-1} + W_x x_t)."""
    states = []
    for x_t in x:
        h = torch.tanh(W_h @ h + W_x @ x_t)
        states.append(h)
    return torch.stack(states)


def one_step_jacobian(W_h: torch.Tensor, h_t: torch.Tensor) -> torch.Tensor:
    r"""$\partial h_t / \partial h_{t-1} = \mathrm{diag}(1 - h_t^2)\, W_h$"""
    return (1 - h_t**2)[:, None] * W_h


def torch_stores_out_in_and_keeps_two_biases() -> str:
    """E87: torch computes x W^T + b_ih + b_hh; W x, W^T x and x W are orientations."""
    cell, x, h = fresh(lambda: nn.RNNCell(5, 5)), numbers(5, 2, 5), numbers(6, 2, 5)
    W_x, W_h = cell.weight_ih, cell.weight_hh
    as_it_stands = torch.tanh(x @ W_x + h @ W_h + cell.bias_ih)
    translated = torch.tanh(x @ W_x.T + h @ W_h.T + cell.bias_ih + cell.bias_hh)
    truth = cell(x, h)
    return decide("nn.RNNCell", truth, as_it_stands, translated, names=CONVENTION)


def a_star_is_not_a_matrix_product() -> str:
    """E10: `*` multiplies entry by entry; the recurrence needs `@`."""
    W_hh, W_xh = np.ones((4, 4)), np.ones((4, 3))
    h, x = np.ones((4, 1)), np.ones((3, 1))
    state = decide("W_hh * h", np.full((4, 1), 4.0), W_hh * h, W_hh @ h)
    product = attempt(lambda: W_xh * x)
    entered = decide("W_xh * x", np.full((4, 1), 3.0), product, W_xh @ x)
    assert isinstance(attempt(lambda: W_xh.T @ x), ValueError)  # the equation's W^T x
    return f"{state} | {entered}"


def the_first_layer_reads_inputs_not_states() -> str:
    """E9: in a stack W_x is (d_h, d_x) in layer 1 and (d_h, d_h) above it."""
    deep = fresh(lambda: nn.RNN(input_size=5, hidden_size=7, num_layers=2))
    shapes = [deep.weight_ih_l0.shape, deep.weight_ih_l1.shape]
    printed, holds = [(7, 7), (7, 7)], [(7, 5), (7, 7)]
    return decide("shapes in nn.RNN", shapes, printed, holds, bound=0)


def the_jacobian_has_no_transpose() -> str:
    """E1: Jacobians that multiply from the left are diag(phi') W_h, untransposed."""
    W_h, W_x, x = example()
    h_0 = numbers(7, D_H)
    step = lambda h: torch.tanh(W_h @ h + W_x @ x[0])
    J = one_step_jacobian(W_h, step(h_0))
    return decide("dh_t/dh_{t-1} against autograd", jacobian(step, h_0), J.T, J)


def later_jacobians_stand_on_the_left() -> str:
    """E2: dh_T/dh_0 = J_T ... J_2 J_1; matrices do not commute."""
    W_h, W_x, x = example()
    h_0 = numbers(7, D_H)
    x = x[:3]
    steps = [one_step_jacobian(W_h, h) for h in run(W_h, W_x, x, h_0)]
    truth = jacobian(lambda h: run(W_h, W_x, x, h)[-1], h_0)
    increasing = steps[0] @ steps[1] @ steps[2]
    later_left = steps[2] @ steps[1] @ steps[0]
    return decide("dh_3/dh_0 against autograd", truth, increasing, later_left)


def the_empty_product_is_the_identity() -> str:
    """E66: for tau = t no step lies between, and dh_t/dh_t is the matrix I, not 1."""
    truth = jacobian(lambda h: h * 1.0, numbers(7, D_H))
    one, identity = torch.tensor(1.0), torch.eye(D_H)
    return decide("dh_t/dh_t", truth, one, identity, bound=0)


def a_window_of_k_is_not_a_detach_every_k() -> str:
    """E42: tau = t-K, ..., t are K + 1 terms, and not what detach() computes."""
    W_h, W_x, x = example()
    weight = numbers(8, T, D_H)  # the loss is the sum of weight * h
    W_h, K = W_h.requires_grad_(), 3
    h_0 = torch.zeros(1, D_H).double()
    before = torch.cat([h_0, run(W_h, W_x, x, h_0[0]).detach()[:-1]])
    window = chunks = torch.zeros(()).double()
    for t in range(T):  # every loss looks back over K Jacobians, K + 1 terms
        first = max(0, t - K)
        window = window + (
            run(W_h, W_x, x[first : t + 1], before[first])[-1] @ weight[t]
        )
    for first in range(0, T, K):
        part = slice(first, first + K)
        chunks = chunks + (run(W_h, W_x, x[part], before[first]) * weight[part]).sum()
    (windowed,) = torch.autograd.grad(window, W_h)
    (detached,) = torch.autograd.grad(chunks, W_h)
    terms = len(range(max(1, 10 - K), 10 + 1))
    count = decide("terms for K = 3", terms, K, K + 1, bound=0)
    by_hand = chunked_by_hand(W_h, W_x, x, before, weight, K)
    gradient = decide("gradient against detach()", detached, windowed, by_hand)
    return f"{count} | {gradient}"


def chunked_by_hand(
    W_h: torch.Tensor,
    W_x: torch.Tensor,
    x: torch.Tensor,
    before: torch.Tensor,
    weight: torch.Tensor,
    K: int,
) -> np.ndarray:
    """dL/dW_h when the hand-written BPTT is run on chunks of K steps."""
    arrays = [a.detach().numpy() for a in (W_x, W_h, torch.zeros(D_H).double())]
    total = np.zeros((D_H, D_H))
    for first in range(0, T, K):
        part = slice(first, first + K)
        entry = before[first].numpy()[None]
        _, cache = rnn_forward(RNNWeights(*arrays), x[part].numpy()[None], entry)
        grads = rnn_backward(RNNWeights(*arrays), cache, weight[part].numpy()[None])[0]
        total += grads.W_h
    return total
