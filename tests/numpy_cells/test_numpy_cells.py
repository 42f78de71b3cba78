"""The hand-written cells against outside truths: autograd, torch.nn, differences."""

import copy

import numpy as np
import pytest
import torch
from recurrent_cases import (
    SIZES,
    Kind,
    arrays,
    assert_same,
    every_kind,
    gate_by_gate,
    problem,
    tensor,
)

from course_lib import numpy_cells as cells
from course_lib.check import max_difference, numerical_gradient
from course_lib.numpy_cells.torch_weights import Weights, from_torch

# ---------------------------------------------------------------- against autograd


@every_kind
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("start_given", [True, False], ids=["start", "zeros"])
def test_values_and_all_gradients_equal_autograd(kind, size, start_given):
    weights, x, start, dh, dc_T = problem(kind, size)
    if not start_given:
        start = [np.zeros_like(state) for state in start]
    h, c_T, cache = kind.forward(weights, x, *(start if start_given else []))
    grads, dx, dstart = kind.backward(weights, cache, dh, *dc_T)

    p = {name: tensor(array) for name, array in arrays(weights).items()}
    leaf_x, leaf_start = tensor(x), [tensor(state) for state in start]
    h_ref, c_ref = gate_by_gate(kind.cell, p, leaf_x, *leaf_start, **dict(kind.options))
    loss = (h_ref * torch.tensor(dh)).sum()
    for dc in dc_T:
        loss = loss + (c_ref * torch.tensor(dc)).sum()
    loss.backward()

    assert_same(h, h_ref, 1e-12)
    for c in c_T:
        assert_same(c, c_ref, 1e-12)
    assert_same(dx, leaf_x.grad)
    for mine, leaf in zip(dstart, leaf_start, strict=True):
        assert_same(mine, leaf.grad)
    assert arrays(grads).keys() == p.keys()
    for name, leaf in p.items():
        if leaf.grad is not None:
            assert_same(arrays(grads)[name], leaf.grad)
        else:  # with reset_after=False autograd never meets b_inner
            assert name == "b_inner"


@every_kind
def test_gradients_equal_central_differences(kind):
    weights, x, start, dh, dc_T = problem(kind, (2, 3, 2, 3), seed=5)

    def loss() -> float:
        h, c_T, _ = kind.forward(weights, x, *start)
        pairs = zip((h, *c_T), (dh, *dc_T), strict=True)
        return sum(float((value * weight).sum()) for value, weight in pairs)

    grads, dx, dstart = kind.backward(
        weights, kind.forward(weights, x, *start)[2], dh, *dc_T
    )
    for name, array in arrays(weights).items():
        assert_same(arrays(grads)[name], numerical_gradient(loss, array), 1e-7)
    assert_same(dx, numerical_gradient(loss, x), 1e-7)
    for state, mine in zip(start, dstart, strict=True):
        assert_same(mine, numerical_gradient(loss, state), 1e-7)


def test_no_gradient_into_the_last_cell_state_means_zero():
    kind = Kind("lstm", cells.LSTMWeights)
    weights, x, start, dh, dc_T = problem(kind, (2, 3, 5, 7))
    cache = kind.forward(weights, x, *start)[2]
    without = kind.backward(weights, cache, dh)
    zero = kind.backward(weights, cache, dh, np.zeros_like(dc_T[0]))
    given = kind.backward(weights, cache, dh, *dc_T)
    assert_same(without[0].W_h, zero[0].W_h, 0)
    assert max_difference(without[0].W_h, given[0].W_h) > 0.01


# ---------------------------------------------------------------- against torch.nn


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("start_given", [True, False], ids=["start", "zeros"])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
def test_equal_to_torch_nn(name, bias, start_given, size):
    B, T, d_x, d_h = size
    torch.manual_seed(0)
    module = getattr(torch.nn, name)(
        d_x, d_h, batch_first=True, bias=bias, dtype=torch.float64
    )
    options = (("flipped", True), ("reset_after", True)) if name == "GRU" else ()
    weights = from_torch(module)
    kind = Kind(name.lower(), type(weights), options)
    _, x, start, dh, dc_T = problem(kind, size)
    start = start if start_given else []

    leaf_x, leaf_start = tensor(x), [tensor(state) for state in start]
    given = tuple(state[None] for state in leaf_start)
    if not given:
        h_ref, last = module(leaf_x)
    else:
        h_ref, last = module(leaf_x, given if kind.has_c else given[0])
    loss = (h_ref * torch.tensor(dh)).sum()
    for dc in dc_T:
        loss = loss + (last[1][0] * torch.tensor(dc)).sum()
    loss.backward()

    h, c_T, cache = kind.forward(weights, x, *start)
    grads, dx, dstart = kind.backward(weights, cache, dh, *dc_T)
    assert_same(h, h_ref, 1e-12)
    for c in c_T:
        assert_same(c, last[1][0], 1e-12)
    assert_same(dx, leaf_x.grad)
    for mine, leaf in zip(dstart, leaf_start, strict=False):
        assert_same(mine, leaf.grad)
    skipped = set() if bias else {"b_h", "b_inner"}  # torch has no such gradients
    expected = arrays(torch_gradients(module))
    for key in expected.keys() - skipped:
        assert_same(arrays(grads)[key], expected[key])


def torch_gradients(module: torch.nn.RNNBase) -> Weights:
    """The gradients that `backward` left in the module, in the form of our weights.

    Both biases of torch have the gradient of their sum, so one is left out; only the
    second bias of the GRU's candidate, its last block, is a parameter of its own.
    """
    graded = copy.deepcopy(module)
    shared = 2 * module.hidden_size if isinstance(module, torch.nn.GRU) else None
    for name, parameter in module.named_parameters():
        gradient = parameter.grad.clone()
        if name.startswith("bias_hh"):
            gradient[:shared] = 0
        getattr(graded, name).data = gradient
    return from_torch(graded)


@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
def test_every_layer_and_direction_is_found(name):
    module = getattr(torch.nn, name)(3, 5, num_layers=2, bidirectional=True)
    weights = from_torch(module, layer=1, reverse=True)
    alone = getattr(torch.nn, name)(10, 5)
    for own, parameter in alone.named_parameters():
        parameter.data = getattr(module, own.replace("l0", "l1_reverse")).data
    for key, array in arrays(from_torch(alone)).items():
        assert_same(arrays(weights)[key], array, 0)
        assert array.dtype == np.float32


def test_from_torch_copies():
    module = torch.nn.RNN(3, 5)
    weights = from_torch(module)
    weights.W_x[:] = 0
    assert module.weight_ih_l0.abs().max() > 0
