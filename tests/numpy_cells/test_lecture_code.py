"""What lecture 02 writes on its page is what course_lib computes."""

import nbformat
import numpy as np
import pytest
from lectures import NOTEBOOKS

from course_lib.numpy_cells import RNNWeights, rnn_backward, rnn_forward, text

B, T, D_X, D_H, D_Y = 2, 7, 3, 5, 11
CELLS = ("forward", "backward", "update")


@pytest.fixture(scope="module")
def page() -> dict:
    """The functions of the cells that hold the network and its training step."""
    book = nbformat.read(NOTEBOOKS / "02_simple_rnn.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in book.cells}
    names = {"np": np, "one_hot": text.one_hot}
    for cell in CELLS:
        exec(source[cell], names)
    return names


@pytest.fixture
def example(page) -> tuple:
    """Parameters, inputs, first state and targets, all random."""
    rng = np.random.default_rng(0)
    p = page["new_parameters"](D_X, D_H, D_Y, rng)
    x, h_0 = rng.standard_normal((B, T, D_X)), rng.standard_normal((B, D_H))
    return p, x, h_0, rng.integers(0, D_Y, (B, T))


def test_the_forward_pass(page, example):
    p, x, h_0, _ = example
    weights = RNNWeights(p["W_x"], p["W_h"], p["b_h"])
    for start in (h_0, None):
        h, y = page["forward"](p, x, start)
        expected, _ = rnn_forward(weights, x, start)
        np.testing.assert_allclose(h, expected, atol=1e-14)
        readout = text.Readout(p["W_y"], p["b_y"])
        np.testing.assert_allclose(y, readout.logits(expected), atol=1e-14)


def test_the_loss_and_every_gradient(page, example):
    p, x, h_0, targets = example
    h, y = page["forward"](p, x, h_0)
    losses, dy = page["cross_entropy"](y, targets)
    grads = page["backward"](p, x, h, dy / targets.size, h_0)

    weights = RNNWeights(p["W_x"], p["W_h"], p["b_h"])
    readout = text.Readout(p["W_y"], p["b_y"])
    states, cache = rnn_forward(weights, x, h_0)
    loss, d_readout, dh = text.readout_loss(readout, states, targets)
    d_weights, dx, dh_0 = rnn_backward(weights, cache, dh)
    assert losses.mean() == pytest.approx(loss, abs=1e-13)
    expected = {**vars(d_weights), **vars(d_readout), "x": dx, "h_0": dh_0}
    assert set(grads) == set(expected)
    for name, gradient in expected.items():
        np.testing.assert_allclose(grads[name], gradient, atol=1e-14, err_msg=name)


@pytest.mark.parametrize("limit", [0.01, 1e6])
def test_clipping_and_adam(page, example, limit):
    """Three steps, so that both running means and their corrections matter."""
    p = example[0]
    theirs = [w.copy() for w in p.values()]
    adam = text.Adam(theirs, 0.003)
    memory = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in p.items()}
    rng = np.random.default_rng(1)
    for k in (1, 2, 3):
        grads = {name: rng.standard_normal(w.shape) for name, w in p.items()}
        same = [g.copy() for g in grads.values()]
        page["adam_step"](p, page["clip"](grads, limit), memory, k, 0.003)
        text.clip(same, limit)
        adam.step(same)
        for ours, expected in zip(p.values(), theirs, strict=True):
            np.testing.assert_allclose(ours, expected, atol=1e-13)
