"""The LSTM of lecture 04 and the one in the library are the same network."""

import nbformat
import numpy as np
import pytest
from lectures import NOTEBOOKS

from course_lib.numpy_cells.lstm import LSTMWeights, lstm_backward, lstm_forward

STACK = "cfio"  # the library's order of the blocks
B, T, D_X, D_H = 2, 7, 3, 5


@pytest.fixture(scope="module")
def page() -> dict:
    """The functions that lecture 04 writes, run without the rest of it."""
    nb = nbformat.read(NOTEBOOKS / "04_lstm.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    names: dict = {"np": np}
    for cell in ("step", "forward", "backward-step", "backward"):
        exec(source[cell], names)
    return names


def stacked(p: dict, kind: str) -> np.ndarray:
    return np.concatenate([p[kind + k] for k in STACK])


def test_forward_and_backward_are_the_librarys(page):
    rng = np.random.default_rng(3)
    p = page["new_parameters"](D_X, D_H, rng)
    x, pull = rng.standard_normal((B, T, D_X)), rng.standard_normal((B, T, D_H))
    h_0, c_0 = rng.standard_normal((2, B, D_H))
    weights = LSTMWeights(stacked(p, "W_x"), stacked(p, "W_h"), stacked(p, "b_"))

    tape = page["forward"](p, x, h_0, c_0)
    h, (_, c_T), cache = lstm_forward(weights, x, h_0, c_0)
    np.testing.assert_allclose(tape["h"], h, atol=1e-12)
    np.testing.assert_allclose(tape["c"][:, -1], c_T, atol=1e-12)

    grads = page["backward"](p, x, tape, pull, h_0, c_0)
    by_library, dx, (dh_0, dc_0) = lstm_backward(weights, cache, pull)
    np.testing.assert_allclose(stacked(grads, "W_x"), by_library.W_x, atol=1e-12)
    np.testing.assert_allclose(stacked(grads, "W_h"), by_library.W_h, atol=1e-12)
    np.testing.assert_allclose(stacked(grads, "b_"), by_library.b_h, atol=1e-12)
    for ours, theirs in (("x", dx), ("h_0", dh_0), ("c_0", dc_0)):
        np.testing.assert_allclose(grads[ours], theirs, atol=1e-12)
