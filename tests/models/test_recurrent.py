"""Cells, layers and stacks in torch against torch.nn and against the NumPy cells."""

import pytest
import torch
from recurrent_cases import (
    Kind,
    arrays,
    assert_same,
    every_kind,
    gate_by_gate,
    problem,
    tensor,
)
from torch import nn

from course_lib.models.lstm_by_hand import LSTMByHand
from course_lib.models.recurrent import (
    CoupledLSTMCell,
    GRUCell,
    LSTMCell,
    PeepholeLSTMCell,
    RNNCell,
    cells_of,
    from_torch,
)

CELLS = {
    "rnn": RNNCell,
    "lstm": LSTMCell,
    "coupled": CoupledLSTMCell,
    "peephole": PeepholeLSTMCell,
    "gru": GRUCell,
}
# torch's blocks from the top row down, by our names
TORCH_BLOCKS = {
    "RNN": ("h",),
    "LSTM": ("i", "f", "c_tilde", "o"),
    "GRU": ("r", "z", "h_tilde"),
}


def cell_with(kind: Kind, weights):
    """A torch cell that holds the given NumPy weights."""
    d_h, d_x = weights.d_h, weights.d_x
    cell = CELLS[kind.cell](d_x, d_h, **dict(kind.options)).double()
    named = dict(cell.named_parameters())
    assert named.keys() == arrays(weights).keys()
    for name, array in arrays(weights).items():
        named[name].data.copy_(torch.tensor(array))
    return cell


# ---------------------------------------------------------------- against torch.nn


def flat(state) -> list[tuple[torch.Tensor, ...]]:
    """The states of all cells of a stack in torch's order: layer by layer."""
    if isinstance(state[0], torch.Tensor):
        return [state]
    return [cell_state for part in state for cell_state in flat(part)]


def nested(states: list, layers: int, directions: int):
    """The other way: one entry per layer, a pair if there are two directions."""
    if directions == 1:
        return tuple(states)
    return tuple(tuple(states[2 * n : 2 * n + 2]) for n in range(layers))


def torch_gradients(module, name: str, suffix: str) -> dict[str, torch.Tensor]:
    """Gradients by block: (parameter, block) -> tensor, biases as torch stores them."""
    found = {}
    for key in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        if hasattr(module, f"{key}_{suffix}"):
            cut = getattr(module, f"{key}_{suffix}").grad.split(module.hidden_size)
            for block, part in zip(TORCH_BLOCKS[name], cut, strict=True):
                found[key, block] = part
    return found


def assert_gradients_equal(cell, theirs: dict, bias: bool) -> None:
    for block in cell.names:
        rows = cell.rows(block)
        assert_same(cell.W_x.grad[rows], theirs["weight_ih", block])
        assert_same(cell.W_h.grad[rows], theirs["weight_hh", block])
        if bias:
            assert_same(cell.b_h.grad[rows], theirs["bias_ih", block])
    if bias and isinstance(cell, GRUCell):
        assert_same(cell.b_inner.grad, theirs["bias_hh", "h_tilde"])
    assert bias or cell.b_h is None


@pytest.mark.parametrize("name", ["RNN", "relu", "LSTM", "GRU"])
@pytest.mark.parametrize("size", [(2, 3, 5, 7), (11, 1, 3, 2)], ids=str)
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("both", [False, True], ids=["forward", "bidirectional"])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize("start", [True, False], ids=["start", "zeros"])
def test_equal_to_torch_nn(name, size, layers, both, bias, start):
    (B, T, d_x, d_h), directions = size, 1 + both
    torch.manual_seed(0)
    options = {"bias": bias, "bidirectional": both, "dtype": torch.double}
    if name == "relu":
        name, options["nonlinearity"] = "RNN", "relu"
    module = getattr(nn, name)(d_x, d_h, layers, batch_first=True, **options)
    model = from_torch(module)
    n_states = 2 if name == "LSTM" else 1

    x, dh = (
        torch.randn(B, T, d_x).double(),
        torch.randn(B, T, directions * d_h).double(),
    )
    starts = torch.randn(n_states, layers * directions, B, d_h).double()
    dlast = torch.randn(n_states, layers * directions, B, d_h).double()
    x_ref, x_mine = x.clone().requires_grad_(), x.clone().requires_grad_()
    s_ref, s_mine = starts.clone().requires_grad_(), starts.clone().requires_grad_()

    given = (tuple(s_ref) if name == "LSTM" else s_ref[0]) if start else None
    h_ref, last_ref = module(x_ref, given)
    last_ref = torch.stack(last_ref if name == "LSTM" else [last_ref])
    ((h_ref * dh).sum() + (last_ref * dlast).sum()).backward()

    per_cell = [tuple(s_mine[:, k]) for k in range(layers * directions)]
    h, state = model(x_mine, nested(per_cell, layers, directions) if start else None)
    last = torch.stack([torch.stack(cell_state) for cell_state in flat(state)], dim=1)
    ((h * dh).sum() + (last * dlast).sum()).backward()

    assert_same(h, h_ref)
    assert_same(last, last_ref)
    assert_same(x_mine.grad, x_ref.grad)
    if start:
        assert_same(s_mine.grad, s_ref.grad)
    for n, layer in enumerate(model.layers):
        for cell, suffix in zip(
            cells_of(layer), (f"l{n}", f"l{n}_reverse"), strict=False
        ):
            assert_gradients_equal(cell, torch_gradients(module, name, suffix), bias)


def test_from_torch_copies_and_keeps_the_dtype():
    for dtype in (torch.float32, torch.float64):
        module = nn.LSTM(3, 5, dtype=dtype)
        model = from_torch(module)
        assert {p.dtype for p in model.parameters()} == {dtype}
        before = module.weight_ih_l0.clone()
        for p in model.parameters():
            p.data.zero_()
        assert_same(module.weight_ih_l0, before, 0)


# ------------------------------------------------- against NumPy and plain formulas


@every_kind
@pytest.mark.parametrize("size", [(2, 5, 3, 7), (3, 1, 7, 2), (1, 11, 2, 5)], ids=str)
@pytest.mark.parametrize("way", ["run", "unroll"])
def test_equal_to_the_numpy_cell(kind, size, way):
    weights, x, start, dh, dc_T = problem(kind, size)
    cell = cell_with(kind, weights)
    leaf_x, leaf_start = tensor(x), tuple(tensor(state) for state in start)
    h, state = getattr(cell, way)(leaf_x, leaf_start)
    loss = (h * torch.tensor(dh)).sum()
    for dc in dc_T:
        loss = loss + (state[1] * torch.tensor(dc)).sum()
    loss.backward()

    h_numpy, c_numpy, cache = kind.forward(weights, x, *start)
    grads, dx, dstart = kind.backward(weights, cache, dh, *dc_T)
    assert_same(h, h_numpy)
    assert_same(state[0], h_numpy[:, -1])
    for c in c_numpy:
        assert_same(state[1], c)
    assert_same(leaf_x.grad, dx)
    for leaf, mine in zip(leaf_start, dstart, strict=True):
        assert_same(leaf.grad, mine)
    for name, parameter in cell.named_parameters():
        assert_same(parameter.grad, arrays(grads)[name])


@every_kind
def test_one_step_at_a_time_equals_the_formula(kind):
    """`cell(x_t, state)`, as a decoder uses it."""
    weights, x, start, _, _ = problem(kind, (2, 5, 3, 7))
    cell = cell_with(kind, weights)
    p = {name: torch.tensor(array) for name, array in arrays(weights).items()}
    x, start = torch.tensor(x), tuple(map(torch.tensor, start))
    expected, c = gate_by_gate(kind.cell, p, x, *start, **dict(kind.options))
    state = start
    for t in range(5):
        state = cell(x[:, t], state)
        assert_same(state[0], expected[:, t])
    if kind.has_c:
        assert_same(state[1], c)


# ---------------------------------------------------------------- the fast LSTM


def lstm_inputs():
    torch.manual_seed(0)
    cell = LSTMCell(2, 5).double()
    x, h, c = (torch.randn(2, *rest).double() for rest in ((3, 2), (5,), (5,)))
    return cell, x.requires_grad_(), (h.requires_grad_(), c.requires_grad_())


@pytest.mark.parametrize("bias", [True, False])
def test_hand_written_backward_passes_gradcheck(bias):
    cell, x, state = lstm_inputs()
    parameters = [cell.W_x, cell.W_h, cell.b_h if bias else None]
    assert torch.autograd.gradcheck(LSTMByHand.apply, (x, *state, *parameters))


@pytest.mark.parametrize("used", ["h", "h_T", "c_T"])
def test_each_output_alone_has_the_right_gradient(used):
    """A loss on one output only: the others bring no gradient at all."""
    cell, x, state = lstm_inputs()
    leaves = [x, *state, *cell.parameters()]

    def gradients(way):
        h, (h_T, c_T) = way(x, state)
        return torch.autograd.grad({"h": h, "h_T": h_T, "c_T": c_T}[used].sum(), leaves)

    for mine, recorded in zip(gradients(cell.run), gradients(cell.unroll), strict=True):
        assert_same(mine, recorded)


def test_backward_twice_gives_the_same():
    cell, x, state = lstm_inputs()
    loss = cell.run(x, state)[0].square().sum()
    first = torch.autograd.grad(loss, [x, cell.W_h], retain_graph=True)
    second = torch.autograd.grad(loss, [x, cell.W_h])
    for left, right in zip(first, second, strict=True):
        assert_same(left, right, 0)


def test_only_what_is_asked_for():
    """x that needs no gradient, as the first layer of most models."""
    cell, x, state = lstm_inputs()
    h, _ = cell.run(x.detach())
    h.sum().backward()
    assert cell.W_x.grad is not None
    assert x.grad is None


def test_second_derivatives_need_the_recorded_way():
    cell, x, state = lstm_inputs()
    with pytest.raises(RuntimeError, match=r"use LSTMCell\.unroll"):
        torch.autograd.grad(cell.run(x)[0].sum(), x, create_graph=True)
    (dx,) = torch.autograd.grad(cell.unroll(x)[0].sum(), x, create_graph=True)
    dx.sum().backward()
    assert x.grad.abs().max() > 0


def test_inputs_are_not_changed_and_outputs_are_guarded():
    cell, x, state = lstm_inputs()
    inputs = [x, *state, *cell.parameters()]
    before = [part.detach().clone() for part in inputs]
    h, (h_T, c_T) = cell.run(x, state)
    (h.sum() + c_T.sum()).backward()
    for part, copy in zip(inputs, before, strict=True):
        assert_same(part, copy, 0)
    h, (h_T, c_T) = cell.run(x, state)
    expected = torch.autograd.grad(h.sum(), x, retain_graph=True)[0]
    with torch.no_grad():
        h_T.zero_()  # copies: writing into them cannot touch what backward reads
        c_T.zero_()
    assert_same(torch.autograd.grad(h.sum(), x, retain_graph=True)[0], expected, 0)
    with torch.no_grad():
        h.zero_()  # h itself is kept for backward, and autograd notices
    with pytest.raises(RuntimeError, match="modified inplace"):
        h.sum().backward()
