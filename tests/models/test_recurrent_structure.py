"""Layers, directions and stacks: what sees what, edge sizes, and messages."""

import pytest
import torch
from jaxtyping import config
from recurrent_cases import assert_same

from course_lib.check import max_difference
from course_lib.models.recurrent import (
    Bidirectional,
    CoupledLSTMCell,
    GRUCell,
    Layer,
    LSTMCell,
    PeepholeLSTMCell,
    RNNCell,
    Stack,
    from_torch,
    stack,
)

CELLS = [RNNCell, LSTMCell, CoupledLSTMCell, PeepholeLSTMCell, GRUCell]
every_cell = pytest.mark.parametrize("cell", CELLS)


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def seen_by(model, t: int, T: int = 7, d_x: int = 3) -> list[int]:
    """The steps of x on which the output of step t depends."""
    x = torch.randn(1, T, d_x, requires_grad=True)
    model(x)[0][:, t].sum().backward()
    return x.grad.abs().sum((0, 2)).nonzero().flatten().tolist()


# ---------------------------------------------------------------- directions, stacks


def test_forward_sees_the_past_and_reverse_the_future_both_with_the_present():
    assert seen_by(Layer(LSTMCell(3, 5)), 2) == [0, 1, 2]
    assert seen_by(Layer(LSTMCell(3, 5), reverse=True), 2) == [2, 3, 4, 5, 6]


def test_both_bidirectional_architectures_see_everything():
    pair = Bidirectional(RNNCell(3, 5), RNNCell(3, 5))
    alternating = Stack(Layer(RNNCell(3, 5)), Layer(RNNCell(5, 2), reverse=True))
    assert seen_by(pair, 2) == seen_by(alternating, 2) == list(range(7))
    assert (pair.d_out, alternating.d_out) == (10, 2)


@every_cell
def test_bidirectional_is_two_runs_one_of_them_flipped(cell):
    forward, backward = cell(3, 5), cell(3, 7)
    x = torch.randn(2, 11, 3)
    h, (state_f, state_b) = Bidirectional(forward, backward)(x)
    h_f, expected_f = forward.run(x)
    h_b, expected_b = backward.run(x.flip(1))
    assert_same(h, torch.cat([h_f, h_b.flip(1)], 2), 0)
    for mine, expected in zip(state_f + state_b, expected_f + expected_b, strict=True):
        assert_same(mine, expected, 0)


def test_a_stack_may_differ_from_layer_to_layer():
    model = Stack(
        Layer(LSTMCell(3, 5)),
        Bidirectional(GRUCell(5, 7), GRUCell(5, 2)),
        Layer(RNNCell(9, 11), reverse=True),
    )
    h, state = model(torch.randn(2, 13, 3))
    assert (model.d_in, model.d_out) == (3, 11)
    assert h.shape == (2, 13, 11)
    shapes = [tuple(part.shape) for part in (*state[0], *state[1][0], *state[1][1])]
    assert shapes == [(2, 5), (2, 5), (2, 7), (2, 2)]


@every_cell
@pytest.mark.parametrize("layers", [1, 3])
def test_a_state_can_be_handed_on(cell, layers):
    """Two halves with the state between them equal one run (one direction)."""
    model = stack(cell, 3, 5, layers).double()
    x = torch.randn(2, 7, 3).double()
    whole, last = model(x)
    first, state = model(x[:, :3])
    second, state = model(x[:, 3:], state)
    assert_same(torch.cat([first, second], 1), whole, 1e-14)
    for mine, expected in zip(state, last, strict=True):
        for left, right in zip(mine, expected, strict=True):
            assert_same(left, right, 1e-14)


def test_parameters_are_counted_as_in_the_lecture():
    def count(cell):
        return sum(p.numel() for p in cell(5, 7).parameters())

    lstm = count(LSTMCell)
    assert lstm == 4 * count(RNNCell)
    assert count(CoupledLSTMCell) == count(GRUCell) == 3 * lstm // 4
    assert count(PeepholeLSTMCell) == lstm + 3 * 7


@every_cell
def test_initialisation_lies_within_the_bound_of_torch(cell):
    bound = 101**-0.5
    for parameter in cell(5, 101).parameters():
        assert 0.9 * bound < parameter.abs().max() <= bound


# ---------------------------------------------------------------- edge sizes


@every_cell
@pytest.mark.parametrize("both", [False, True], ids=["forward", "bidirectional"])
@pytest.mark.parametrize(("B", "T"), [(0, 5), (3, 0), (0, 0), (3, 1)])
def test_empty_and_short_inputs(cell, both, B, T):
    model = stack(cell, 3, 7, layers=2, bidirectional=both)
    x = torch.randn(B, T, 3, requires_grad=True)
    h, state = model(x)
    assert h.shape == (B, T, 7 * (1 + both))
    if T:  # without a step the output depends on nothing
        h.sum().backward()
        assert x.grad.shape == x.shape
    again, _ = model(x, state)  # what it returns it accepts
    assert again.shape == h.shape


@every_cell
def test_no_steps_leave_the_state_as_it_is(cell):
    layer = cell(3, 7)
    state = tuple(torch.randn(2, 7, requires_grad=True) for _ in layer.state_names)
    h, last = layer.run(torch.randn(2, 0, 3), state)
    assert h.shape == (2, 0, 7)
    for given, kept in zip(state, last, strict=True):
        assert_same(given, kept, 0)
    last[-1].sum().backward()
    assert_same(state[-1].grad, torch.ones(2, 7), 0)


@every_cell
def test_single_precision_and_modules_behave_as_usual(cell):
    model = stack(cell, 3, 5, 2)
    x = torch.randn(2, 7, 3)
    copy = stack(cell, 3, 5, 2)
    assert max_difference(copy(x)[0], model(x)[0]) > 1e-3
    copy.load_state_dict(model.state_dict())
    assert_same(copy(x)[0], model(x)[0], 0)
    assert_same(model.double()(x.double())[0].float(), copy(x)[0], 1e-6)
    assert copy(x)[0].dtype == torch.float32


# ---------------------------------------------------------------- messages


@pytest.fixture
def no_annotation_check():
    """A student runs without the checker of annotations and sees our own messages."""
    config.update("jaxtyping_disable", True)
    yield
    config.update("jaxtyping_disable", False)


@pytest.mark.usefixtures("no_annotation_check")
class TestMessages:
    @every_cell
    def test_input(self, cell):
        message = r"x has shape \(2, 5, 4\), expected \(B, T, d_x=3\): batch, time, dim"
        for reverse in (False, True):
            with pytest.raises(ValueError, match=message):
                Layer(cell(3, 7), reverse)(torch.zeros(2, 5, 4))
        with pytest.raises(ValueError, match=r"x has shape \(5, 3\), expected \(B, T,"):
            cell(3, 7).unroll(torch.zeros(5, 3))
        with pytest.raises(
            ValueError, match=r"x_t has shape \(2, 4\), .* \(B, d_x=3\)"
        ):
            cell(3, 7)(torch.zeros(2, 4))

    @every_cell
    def test_state(self, cell):
        made, x = cell(3, 7), torch.zeros(2, 5, 3)
        n = len(made.state_names)
        wrong = tuple(torch.zeros(2, 6) for _ in range(n))
        with pytest.raises(
            ValueError,
            match=r"h has shape \(2, 6\), expected \(B=2, d_h=7\): one vector",
        ):
            made.run(x, wrong)
        message = (
            rf"state has {n + 1} parts of shapes \[\(2, 6\).*expected a tuple \('h'"
        )
        with pytest.raises(ValueError, match=message):
            made.run(x, (*wrong, torch.zeros(2, 6)))

    def test_a_bare_tensor_is_not_a_state(self):
        """The likely mistake: h instead of (h,)."""
        with pytest.raises(
            ValueError, match=r"a tuple \('h',\), got a Tensor of shape"
        ):
            RNNCell(3, 7).run(torch.zeros(2, 5, 3), torch.zeros(2, 7))

    def test_state_of_a_stack(self):
        model = stack(RNNCell, 3, 7, layers=2)
        with pytest.raises(ValueError, match="state has 1 parts, expected 2: one per"):
            model(torch.zeros(2, 5, 3), ((torch.zeros(2, 7),),))

    def test_widths(self):
        with pytest.raises(ValueError, match="layer 0 shows 5 .* layer 1 reads 7"):
            Stack(Layer(RNNCell(3, 5)), Layer(RNNCell(7, 2)))
        with pytest.raises(
            ValueError, match="d_x=3 and d_x=5: both must read the same"
        ):
            Bidirectional(RNNCell(3, 7), RNNCell(5, 7))

    def test_options(self):
        with pytest.raises(ValueError, match="'sin', expected 'tanh' or 'relu'"):
            RNNCell(3, 5, activation="sin")
        with pytest.raises(ValueError, match="layers=0: a stack needs at least one"):
            stack(RNNCell, 3, 5, layers=0)
        with pytest.raises(ValueError, match="a stack needs at least one layer"):
            Stack()
        with pytest.raises(ValueError, match="no block 'z'"):
            LSTMCell(3, 5).rows("z")
        with pytest.raises(ValueError, match="got Linear"):
            from_torch(torch.nn.Linear(3, 5))
