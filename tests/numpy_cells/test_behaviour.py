"""How the hand-written cells treat their arguments, and what their docstrings claim."""

import warnings
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import torch
from jaxtyping import config
from recurrent_cases import KINDS, Kind, arrays, assert_same, every_kind, problem

from course_lib import numpy_cells as cells
from course_lib.check import max_difference
from course_lib.numpy_cells.torch_weights import from_torch

LSTM = Kind("lstm", cells.LSTMWeights)
SIZE = (2, 5, 3, 7)


@pytest.fixture
def no_annotation_check():
    """A student runs without the checker of annotations and sees our own messages."""
    config.update("jaxtyping_disable", True)
    yield
    config.update("jaxtyping_disable", False)


# ---------------------------------------------------------------- dtype and edges


@every_kind
def test_float32_stays_float32(kind):
    single, double = (problem(kind, SIZE, dtype) for dtype in (np.float32, np.float64))
    results = []
    for weights, x, start, dh, dc_T in (single, double):
        h, c_T, cache = kind.forward(weights, x, *start)
        grads, dx, dstart = kind.backward(weights, cache, dh, *dc_T)
        results.append([h, *c_T, dx, *dstart, *arrays(grads).values()])
    for mine, exact in zip(*results, strict=True):
        assert mine.dtype == np.float32
        assert exact.dtype == np.float64
        assert_same(mine, exact, 2e-5)


@every_kind
@pytest.mark.parametrize(("B", "T"), [(0, 5), (3, 0), (0, 0)])
def test_empty_batches_and_sequences(kind, B, T):
    weights, x, start, dh, dc_T = problem(kind, (B, T, 5, 7))
    h, c_T, cache = kind.forward(weights, x, *start)
    grads, dx, dstart = kind.backward(weights, cache, dh, *dc_T)
    assert h.shape == (B, T, 7)
    assert dx.shape == (B, T, 5)
    for name, array in arrays(weights).items():
        assert arrays(grads)[name].shape == array.shape
        assert_same(arrays(grads)[name], np.zeros_like(array), 0)
    if T == 0:  # the state goes through unchanged, and so does its gradient
        for c in c_T:
            assert_same(c, start[1], 0)
        for given, back in zip([np.zeros_like(start[0]), *dc_T], dstart, strict=True):
            assert_same(back, given, 0)


@every_kind
def test_one_run_equals_two_halves(kind):
    weights, x, start, _, _ = problem(kind, (2, 7, 3, 5))
    whole, c_whole, _ = kind.forward(weights, x, *start)
    first, c_first, _ = kind.forward(weights, x[:, :3], *start)
    second, c_second, _ = kind.forward(weights, x[:, 3:], first[:, -1], *c_first)
    assert_same(np.concatenate([first, second], 1), whole, 1e-14)
    for halves, once in zip(c_second, c_whole, strict=True):
        assert_same(halves, once, 1e-14)


def test_large_activations_give_limits_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in KINDS[2:]:
            weights, x, start, dh, dc_T = problem(kind, SIZE, np.float32)
            h, _, cache = kind.forward(weights, 1e6 * x, *start)
            grads, dx, _ = kind.backward(weights, cache, dh, *dc_T)
            for array in (h, dx, *arrays(grads).values()):
                assert np.isfinite(array).all()


# ---------------------------------------------------------------- nothing is damaged


@every_kind
def test_callers_arrays_are_not_changed(kind):
    weights, x, start, dh, dc_T = problem(kind, SIZE)
    mine = [x, *start, dh, *dc_T, *arrays(weights).values()]
    before = [array.copy() for array in mine]
    for array in mine:
        array.flags.writeable = False
    _, _, cache = kind.forward(weights, x, *start)
    kind.backward(weights, cache, dh, *dc_T)
    for array, copy in zip(mine, before, strict=True):
        assert_same(array, copy, 0)


@every_kind
@pytest.mark.parametrize("size", [SIZE, (1, 5, 3, 7), (2, 1, 3, 7)], ids=str)
def test_cache_is_independent_of_the_caller(kind, size):
    """Writing into x, the start, h or c after the forward pass changes no gradient."""
    weights, x, start, dh, dc_T = problem(kind, size)
    h, c_T, cache = kind.forward(weights, x, *start)
    expected = kind.backward(weights, cache, dh, *dc_T)
    for array in (x, *start, h, *c_T):
        array[:] = 17
    again = kind.backward(weights, cache, dh, *dc_T)  # also: a cache serves twice
    for left, right in zip(
        [*arrays(expected[0]).values(), expected[1], *expected[2]],
        [*arrays(again[0]).values(), again[1], *again[2]],
        strict=True,
    ):
        assert_same(left, right, 0)


@every_kind
def test_no_output_is_a_view_of_the_cache(kind):
    weights, x, start, _, _ = problem(kind, SIZE)
    forward = getattr(cells, f"{kind.cell}_forward")
    h, *last, cache = forward(weights, x, *start, **dict(kind.options))
    outputs = [h, *(last[0] if last else ())]
    assert len(outputs) == (3 if kind.has_c else 1)
    kept = [array for array in vars(cache).values() if isinstance(array, np.ndarray)]
    for output in outputs:
        assert not any(np.shares_memory(output, array) for array in kept)


@every_kind
def test_gradients_are_independent_of_the_caller(kind):
    """No result is a view of dc_T, also when there is no step to take."""
    weights, x, start, dh, dc_T = problem(kind, (2, 0, 3, 7))
    _, _, cache = kind.forward(weights, x, *start)
    _, _, dstart = kind.backward(weights, cache, dh, *dc_T)
    for back in dstart:
        for given in (*dc_T, *start):
            assert not np.shares_memory(back, given)


def test_weights_are_frozen():
    weights = LSTM.init(np.random.default_rng(0), 3, 5)
    with pytest.raises(FrozenInstanceError):
        weights.b_h = np.zeros(20)


# ---------------------------------------------------------------- messages


@pytest.mark.usefixtures("no_annotation_check")
class TestMessages:
    """Every message quotes the shapes and says what was expected."""

    @every_kind
    def test_x(self, kind):
        weights, x, start, _, _ = problem(kind, SIZE)
        message = r"x has shape \(2, 5, 2\), expected \(B, T, d_x=3\): batch, time, dim"
        with pytest.raises(ValueError, match=message):
            kind.forward(weights, x[..., :2], *start)
        with pytest.raises(ValueError, match=r"x has shape \(5, 3\), expected \(B, T"):
            kind.forward(weights, x[0], *start)

    @every_kind
    def test_states(self, kind):
        weights, x, start, _, _ = problem(kind, SIZE)
        for n, name in enumerate(("h_0", "c_0")[: len(start)]):
            wrong = [state[:1] if k == n else state for k, state in enumerate(start)]
            message = rf"{name} has shape \(1, 7\), expected \(B=2, d_h=7\): one vector"
            with pytest.raises(ValueError, match=message):
                kind.forward(weights, x, *wrong)

    @every_kind
    def test_incoming_gradients(self, kind):
        weights, x, start, dh, dc_T = problem(kind, SIZE)
        cache = kind.forward(weights, x, *start)[2]
        with pytest.raises(
            ValueError, match=r"dh has shape \(2, 4, 7\), expected \(B=2, T=5, d_h=7\)"
        ):
            kind.backward(weights, cache, dh[:, :4], *dc_T)
        if kind.has_c:
            with pytest.raises(ValueError, match=r"dc_T has shape \(2, 6\)"):
                kind.backward(weights, cache, dh, dc_T[0][:, :6])

    @every_kind
    def test_mixed_precision(self, kind):
        weights, x, start, dh, dc_T = problem(kind, SIZE)
        with pytest.raises(
            ValueError, match="x is float32 but the weights are float64"
        ):
            kind.forward(weights, x.astype(np.float32), *start)
        with pytest.raises(ValueError, match="h_0 is float32"):
            kind.forward(weights, x, start[0].astype(np.float32), *start[1:])
        cache = kind.forward(weights, x, *start)[2]
        with pytest.raises(ValueError, match="dh is float32"):
            kind.backward(weights, cache, dh.astype(np.float32), *dc_T)

    @every_kind
    def test_weights(self, kind):
        weights = kind.init(np.random.default_rng(0), 3, 7)
        for name, array in arrays(weights).items():
            with pytest.raises(ValueError, match=rf"{name} has shape .* expected \("):
                replace(weights, **{name: array[:-1]})
            if name != "W_h":  # the others are compared with W_h
                with pytest.raises(ValueError, match=f"{name} is float32"):
                    replace(weights, **{name: array.astype(np.float32)})

    def test_forgotten_stacking(self):
        """The likely mistake: one matrix of (d_h, d_h) where four are stacked."""
        eye = np.eye(5)
        message = (
            r"W_h has shape \(5, 5\), expected \(n\*d_h=20, d_h\): blocks of d_h=5"
        )
        with pytest.raises(ValueError, match=message):
            cells.LSTMWeights(eye, eye, np.zeros(20))

    def test_options(self):
        weights, x, _, _, _ = problem(KINDS[0], SIZE)
        with pytest.raises(ValueError, match="'sin', expected 'tanh' or 'relu'"):
            cells.rnn_forward(weights, x, activation="sin")
        gru = cells.GRUWeights.init(np.random.default_rng(0), 3, 7)
        gru = replace(gru, b_inner=np.zeros(7))
        with pytest.raises(ValueError, match=r"b_inner of shape \(7,\).*reset_after"):
            cells.gru_forward(gru, x)

    def test_torch_modules_without_a_counterpart(self):
        with pytest.raises(ValueError, match="nn.LSTM or nn.GRU, got Linear"):
            from_torch(torch.nn.Linear(2, 3))
        with pytest.raises(ValueError, match="proj_size=2"):
            from_torch(torch.nn.LSTM(3, 5, proj_size=2))

    def test_unknown_block(self):
        weights, x, start, _, _ = problem(LSTM, SIZE)
        with pytest.raises(ValueError, match="no block 'z': this cell has .*c_tilde"):
            weights.rows("z")
        with pytest.raises(ValueError, match="no block 'z'"):
            LSTM.forward(weights, x, *start)[2].gate("z")


# ---------------------------------------------------------------- what the text claims


def constant(weights, **biases):
    """Weights that ignore x and h: each block is a function of its bias alone."""
    weights = replace(weights, W_x=0 * weights.W_x, W_h=0 * weights.W_h)
    for name, value in biases.items():
        weights = weights.with_bias(name, value)
    return weights


def test_lstm_counts_and_the_coupled_one_cannot():
    rng, x = np.random.default_rng(0), np.zeros((1, 53, 2))
    lstm = constant(cells.LSTMWeights.init(rng, 2, 3), c_tilde=9, f=9, i=9, o=9)
    h, (_, c_T), _ = cells.lstm_forward(lstm, x)
    assert c_T.min() > 50
    assert np.abs(h).max() < 1
    coupled = constant(cells.CoupledWeights.init(rng, 2, 3), c_tilde=9, f=2, o=9)
    _, (_, c_T), _ = cells.coupled_forward(coupled, x)
    assert 0.9 < c_T.min() <= c_T.max() <= 1


def test_three_quarters_of_the_parameters():
    def count(Weights):
        weights = Weights.init(np.random.default_rng(0), 5, 7)
        return sum(array.size for array in arrays(weights).values())

    lstm = count(cells.LSTMWeights)
    assert lstm == 4 * count(cells.RNNWeights)
    assert count(cells.CoupledWeights) == count(cells.GRUWeights) == 3 * lstm // 4
    assert count(cells.PeepholeWeights) == lstm + 3 * 7


def test_peepholes_of_zero_are_no_peepholes():
    weights, x, start, _, _ = problem(LSTM, SIZE)
    zero = np.zeros(7)
    closed = cells.PeepholeWeights(*arrays(weights).values(), zero, zero, zero)
    plain = cells.lstm_forward(weights, x, *start)[0]
    assert_same(cells.peephole_forward(closed, x, *start)[0], plain, 1e-15)
    opened = replace(closed, p_o=zero + 1)
    assert max_difference(cells.peephole_forward(opened, x, *start)[0], plain) > 0.01


def test_flipped_gru_is_the_gru_with_the_gate_negated():
    """sigma(-a) = 1 - sigma(a): the same family. The reset is another matter."""
    gru = Kind("gru", cells.GRUWeights)
    weights, x, start, _, _ = problem(gru, SIZE)
    sign = np.ones(21)
    sign[weights.rows("z")] = -1
    negated = cells.GRUWeights(
        sign[:, None] * weights.W_x, sign[:, None] * weights.W_h, sign * weights.b_h
    )
    h = cells.gru_forward(weights, x, *start)[0]
    assert_same(cells.gru_forward(negated, x, *start, flipped=True)[0], h, 1e-14)
    after = cells.gru_forward(weights, x, *start, reset_after=True)[0]
    assert max_difference(after, h) > 0.01


def test_gates_can_be_read_for_plots():
    weights, x, start, _, _ = problem(LSTM, SIZE)
    h, (_, c_T), cache = cells.lstm_forward(weights, x, *start)
    c = cache.cell()
    before = np.concatenate([start[1][:, None], c[:, :-1]], 1)
    f, i, o, c_tilde = (cache.gate(name) for name in ("f", "i", "o", "c_tilde"))
    assert f.shape == c.shape == h.shape
    assert_same(c, f * before + i * c_tilde, 1e-15)
    assert_same(h, o * np.tanh(c), 1e-15)
    assert_same(c[:, -1], c_T, 0)


def test_init_is_reproducible_and_within_the_bound():
    first, second = (
        cells.LSTMWeights.init(np.random.default_rng(3), 5, 7, np.float32)
        for _ in range(2)
    )
    for left, right in zip(
        arrays(first).values(), arrays(second).values(), strict=True
    ):
        assert_same(left, right, 0)
        assert left.dtype == np.float32
        assert 0.9 / np.sqrt(7) < np.abs(left).max() <= np.float32(1 / np.sqrt(7))


def test_with_bias_sets_one_block_and_leaves_the_original():
    weights = cells.LSTMWeights.init(np.random.default_rng(0), 3, 5)
    opened = weights.with_bias("f", 1.0)
    rows = weights.rows("f")
    assert (opened.b_h[rows] == 1).all()
    assert (weights.b_h[rows] != 1).all()
    changed = opened.b_h != weights.b_h
    assert changed.sum() == 5
