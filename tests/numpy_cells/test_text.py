"""What trains the hand-written cells on text: part by part and whole, as in torch."""

from itertools import islice

import numpy as np
import pytest
import torch
from recurrent_cases import assert_same, tensor
from torch import nn
from torch.nn import functional as F

from course_lib import numpy_cells as cells
from course_lib.numpy_cells import text, torch_weights

B, T, V, D = 3, 5, 11, 7


def readout(seed: int = 0, dtype=np.float64) -> text.Readout:
    return text.Readout.init(np.random.default_rng(seed), D, V, dtype)


def runner(kind: str, weights):
    """The cell as text.py wants it: run(x, state) -> h, state."""

    def run(x, state):
        if kind == "RNN":
            h, _ = cells.rnn_forward(weights, x, state)
            return h, h[:, -1]
        h, state, _ = cells.lstm_forward(weights, x, *(state or (None, None)))
        return h, state

    return run


# ---------------------------------------------------------------- windows, one-hot


def test_windows_go_on_where_they_stopped_and_targets_are_one_ahead():
    numbers = np.arange(101)  # 3 rows of 6 windows of 5, and more
    found = list(islice(text.windows(numbers, 3, 5), 7))
    assert all(x.shape == y.shape == (3, 5) for x, y in found)
    rows = np.concatenate([x for x, _ in found[:6]], axis=1)
    assert rows.tolist() == np.arange(90).reshape(3, 30).tolist()
    assert all(np.array_equal(y, x + 1) for x, y in found)
    assert np.array_equal(found[6][0], found[0][0])  # and again from the start


def test_windows_need_a_target_for_the_last_letter():
    x, y = next(text.windows(np.arange(16), 3, 5))
    assert (x[-1, -1], y[-1, -1]) == (14, 15)
    with pytest.raises(ValueError, match="15 letters are too few for 3 rows of 5"):
        next(text.windows(np.arange(15), 3, 5))


def test_one_hot_picks_a_column():
    rng = np.random.default_rng(1)
    numbers, W = rng.integers(0, V, (B, T)), rng.standard_normal((D, V))
    x = text.one_hot(numbers, V, np.float64)
    assert x.shape == (B, T, V)
    assert np.array_equal(x @ W.T, W.T[numbers])
    assert text.one_hot(numbers, V).dtype == np.float32


# ---------------------------------------------------------------- loss, clip, Adam


def test_loss_and_gradients_equal_torch():
    rng = np.random.default_rng(2)
    model, h = readout(), 9 * rng.standard_normal((B, T, D))
    targets = rng.integers(0, V, (B, T))
    loss, grads, dh = text.readout_loss(model, h, targets)
    W, b, leaf = tensor(model.W_y), tensor(model.b_y), tensor(h)
    logits = leaf @ W.T + b
    expected = F.cross_entropy(logits.flatten(0, 1), torch.tensor(targets).flatten())
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-12)
    assert_same(grads.W_y, W.grad)
    assert_same(grads.b_y, b.grad)
    assert_same(dh, leaf.grad)


def test_loss_stays_finite_for_huge_logits():
    model = text.Readout(np.full((V, D), 1e30, np.float32), np.zeros(V, np.float32))
    model.W_y[0] = -1e30
    h, targets = np.ones((B, T, D), np.float32), np.ones((B, T), np.int64)
    loss, _, dh = text.readout_loss(model, h, targets)
    assert loss == pytest.approx(np.log(V - 1), rel=1e-6)
    assert np.isfinite(dh).all()


def test_loss_names_a_wrong_shape_and_dtype():
    targets = np.zeros((B, T), np.int64)
    with pytest.raises(ValueError, match="h is float32 but the weights are float64"):
        text.readout_loss(readout(), np.zeros((B, T, D), np.float32), targets)


@pytest.mark.parametrize("limit", [0.1, 1e6])
def test_clip_equals_torch(limit):
    rng = np.random.default_rng(3)
    mine = [rng.standard_normal((2, 3)), rng.standard_normal(5)]
    theirs = [nn.Parameter(torch.zeros(g.shape)) for g in mine]
    for parameter, gradient in zip(theirs, mine, strict=True):
        parameter.grad = torch.tensor(gradient).float()
    expected = nn.utils.clip_grad_norm_(theirs, limit)
    norm = text.clip(mine, limit)
    assert norm == pytest.approx(expected.item(), rel=1e-5)
    for parameter, gradient in zip(theirs, mine, strict=True):
        assert_same(gradient.astype(np.float32), parameter.grad, 1e-5)


def test_adam_equals_torch_in_place():
    rng = np.random.default_rng(4)
    mine = [rng.standard_normal((2, 3)), rng.standard_normal(5)]
    theirs = [tensor(w) for w in mine]
    before = list(mine)
    adam, torchs = text.Adam(mine, 0.03), torch.optim.Adam(theirs, 0.03)
    for _ in range(13):
        gradients = [rng.standard_normal(w.shape) for w in mine]
        for leaf, gradient in zip(theirs, gradients, strict=True):
            leaf.grad = torch.tensor(gradient)
        adam.step(gradients)
        torchs.step()
    for w, leaf, same in zip(mine, theirs, before, strict=True):
        assert w is same
        assert_same(w, leaf, 1e-12)


# ---------------------------------------------------------------- whole steps


@pytest.mark.parametrize("kind", ["RNN", "LSTM"])
def test_training_steps_equal_torch(kind):
    """Three windows with a carried state, clipping and Adam, in float64."""
    torch.manual_seed(5)
    module = getattr(nn, kind)(V, D, batch_first=True).double()
    nn.init.zeros_(module.bias_hh_l0).requires_grad_(False)  # ours has one bias
    linear = nn.Linear(D, V).double()
    weights = torch_weights.from_torch(module)
    model = text.Readout(*(p.detach().numpy().copy() for p in linear.parameters()))
    numbers = np.random.default_rng(6).integers(0, V, 3 * B * T + 1)
    mine = islice(text.windows(numbers, B, T), 3)
    theirs = islice(text.windows(numbers, B, T), 3)
    for loss, expected in zip(
        our_steps(kind, weights, model, mine),
        torch_steps(module, linear, theirs),
        strict=True,
    ):
        assert loss == pytest.approx(expected, rel=1e-10)
    for ours, parameter in zip(text.arrays(model), linear.parameters(), strict=True):
        assert_same(ours, parameter, 1e-10)
    after = torch_weights.from_torch(module)
    for ours, other in zip(text.arrays(weights), text.arrays(after), strict=True):
        assert_same(ours, torch.tensor(other), 1e-10)


def our_steps(kind: str, weights, model: text.Readout, data):
    adam, state = text.Adam(text.arrays(weights, model), 0.01), ()
    for letters, targets in data:
        x = text.one_hot(letters, V, np.float64)
        if kind == "RNN":
            h, cache = cells.rnn_forward(weights, x, *state)
            state, backward = (h[:, -1],), cells.rnn_backward
        else:
            h, state, cache = cells.lstm_forward(weights, x, *state)
            backward = cells.lstm_backward
        loss, d_model, dh = text.readout_loss(model, h, targets)
        d_weights, *_ = backward(weights, cache, dh)
        gradients = text.arrays(d_weights, d_model)
        text.clip(gradients, 0.5)
        adam.step(gradients)
        yield loss


def torch_steps(module: nn.RNNBase, linear: nn.Linear, data):
    learnt = [p for m in (module, linear) for p in m.parameters() if p.requires_grad]
    adam, state = torch.optim.Adam(learnt, 0.01), None
    for letters, targets in data:
        adam.zero_grad()
        x = F.one_hot(torch.tensor(letters), V).double()
        h, state = module(x, state)
        state = (
            state.detach() if torch.is_tensor(state) else [s.detach() for s in state]
        )
        goals = torch.tensor(targets).flatten()
        loss = F.cross_entropy(linear(h).flatten(0, 1), goals)
        loss.backward()
        nn.utils.clip_grad_norm_(learnt, 0.5)
        adam.step()
        yield loss.item()


def test_it_learns_what_counting_pairs_cannot():
    """Two letters back decides the next: the best pair model stays at log 2."""
    rng = np.random.default_rng(7)
    bits = rng.integers(0, 2, 2)
    numbers = np.empty(4001, np.int64)
    numbers[:2] = bits
    for n in range(2, len(numbers)):
        flip = rng.random() < 0.05
        numbers[n] = numbers[n - 2] ^ flip
    weights = cells.RNNWeights.init(rng, 2, 13, np.float32)
    model = text.Readout.init(rng, 13, 2)
    adam, h_0 = text.Adam(text.arrays(weights, model), 0.01), None
    for letters, targets in islice(text.windows(numbers, 8, 25), 150):
        h, cache = cells.rnn_forward(weights, text.one_hot(letters, 2), h_0)
        _, d_model, dh = text.readout_loss(model, h, targets)
        d_weights, *_ = cells.rnn_backward(weights, cache, dh)
        gradients = text.arrays(d_weights, d_model)
        text.clip(gradients, 1.0)
        adam.step(gradients)
        h_0 = h[:, -1]
    loss = text.nats_per_letter(runner("RNN", weights), model, numbers)
    entropy = -0.05 * np.log(0.05) - 0.95 * np.log(0.95)  # 0.199 nats
    assert entropy - 0.05 < loss < 0.3 < np.log(2)


# ---------------------------------------------------------------- measuring, writing


@pytest.mark.parametrize("kind", ["RNN", "LSTM"])
def test_nats_per_letter_carry_the_state_and_count_every_letter(kind):
    rng = np.random.default_rng(8)
    classes = {"RNN": cells.RNNWeights, "LSTM": cells.LSTMWeights}
    weights, model = classes[kind].init(rng, V, D), readout()
    numbers = rng.integers(0, V, 2 * 131 + 1)  # parts of 131: a window of 100 and 31
    run = runner(kind, weights)
    whole = text.one_hot(numbers[:-1].reshape(2, 131), V, np.float64)
    targets = numbers[1:].reshape(2, 131)
    expected = text.readout_loss(model, run(whole, None)[0], targets)[0]
    assert text.nats_per_letter(run, model, numbers, rows=2) == pytest.approx(expected)
    with pytest.raises(ValueError, match="3 letters cannot fill 7 rows"):
        text.nats_per_letter(run, model, numbers[:3], rows=7)


def test_writing_at_low_temperature_is_the_best_letter_each_time():
    weights = cells.LSTMWeights.init(np.random.default_rng(9), V, D)
    model, run = readout(), runner("LSTM", weights)
    model.W_y[:] *= 9
    written = text.write(
        run, model, np.random.default_rng(0), np.array([3, 1]), 17, 1e-6
    )
    read = [3, 1, *written]
    h, _ = run(text.one_hot(np.array([read[:-1]]), V, np.float64), None)
    assert written == model.logits(h[0, 1:]).argmax(axis=1).tolist()


def test_writing_draws_from_the_softmax_at_its_temperature():
    """A network without memory: every letter comes from the same distribution."""
    odds = np.array([5.0, 3.0, 2.0])
    model = text.Readout(np.zeros((3, D)), np.log(odds))
    run = runner("RNN", cells.RNNWeights.init(np.random.default_rng(1), 3, D))
    for temperature, shares in [(1, odds / 10), (0.5, odds**2 / 38)]:
        rng = np.random.default_rng(10)
        written = text.write(run, model, rng, [0], 2003, temperature)
        counts = np.bincount(written, minlength=3) / len(written)
        assert np.abs(counts - shares).max() < 0.04  # 3.5 standard errors
    again = text.write(run, model, np.random.default_rng(10), [0], 2003, 0.5)
    assert again == written
    with pytest.raises(ValueError, match="must be above 0"):
        text.write(run, model, rng, [0], 1, 0)
