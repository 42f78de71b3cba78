"""Figures of lecture 02: the stepper computes BPTT, the others show their numbers."""

import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt

from course_lib.show import simple_rnn
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_the_trace_of_the_scalar_network_is_what_autograd_says():
    for w in (-1.5, 0.0, 0.8):
        weight = torch.tensor(w, dtype=torch.float64, requires_grad=True)
        h, loss, states = torch.tensor(simple_rnn.START, dtype=torch.float64), 0.0, []
        for x, goal in zip(simple_rnn.INPUTS, simple_rnn.TARGETS, strict=True):
            h = torch.tanh(weight * h + x)
            h.retain_grad() if h.requires_grad else None
            states.append(h)
            loss = loss + (h - goal) ** 2 / 2
        loss.backward()
        trace = simple_rnn.rnn_trace(w)
        assert trace.dL_dw[0] == pytest.approx(weight.grad.item(), abs=1e-12)
        assert trace.g == pytest.approx([s.grad.item() for s in states], abs=1e-12)
        assert trace.losses.sum() == pytest.approx(loss.item(), abs=1e-12)


@pytest.mark.parametrize("step", range(9))
def test_every_step_of_the_drawing_can_be_drawn(step):
    fig, description = simple_rnn.draw_rnn_steps(step, w=0.8)
    numbers = [t.get_text() for t in fig.axes[0].texts]
    assert numbers.count("?") == 2 * max(0, 4 - step)
    assert sum(t.startswith("$g_") for t in numbers) == max(0, step - 4)
    assert f"step {step}" in description


def test_the_stepper_shows_every_target():
    fig, _ = simple_rnn.draw_rnn_steps(8, w=0.8)
    texts = [t.get_text() for t in fig.axes[0].texts]
    for t, target in enumerate(simple_rnn.TARGETS, start=1):
        assert f"$y^*_{t}$ {target:+.1f}" in texts


def test_letters_stand_under_their_losses():
    line = "ab c\n"
    fig = simple_rnn.draw_letter_losses(line, np.arange(5.0))
    (ax,) = fig.axes
    assert [t.get_text() for t in ax.get_xticklabels()] == ["a", "b", "␣", "c", "↵"]
    assert [bar.get_height() for bar in ax.patches] == [0, 1, 2, 3, 4]


def test_sizes_are_on_a_log_scale_and_zeros_stay_white():
    sizes = np.array([[1.0, 0.0], [0.01, 100.0]])
    fig = simple_rnn.draw_sizes(sizes, [1, 2], "input", "state", "size")
    image = fig.axes[0].images[0]
    assert image.get_array().mask.tolist() == [[False, True], [False, False]]
    assert (image.norm.vmin, image.norm.vmax) == (0.01, 100.0)
    assert image.norm(1.0) == pytest.approx(0.5)
    assert fig.axes[1].get_ylabel() == "size"


def test_an_n_gram_stands_at_the_letters_that_it_sees():
    nats = np.array([3.0, 2.5, 2.1])  # orders 1, 2 and 3
    cut, whole = np.array([2.9, 2.4, 2.2, 2.0]), np.array([1.9, 1.8, 2.0, 1.9])
    fig = simple_rnn.draw_context(cut, whole, nats)
    network, past, n_grams = fig.axes[0].lines
    assert past.get_ydata().tolist() == whole.tolist()
    assert network.get_xydata().tolist() == [[1, 2.9], [2, 2.4], [3, 2.2], [4, 2.0]]
    assert n_grams.get_xydata().tolist() == [[1, 2.5], [2, 2.1]]


def test_every_network_is_drawn_beside_the_mean():
    errors = np.random.default_rng(0).uniform(size=(3, 2, 5))
    fig = simple_rnn.draw_truncation([1, 2, 4, 8, 16], errors)
    lines = fig.axes[0].lines
    assert len(lines) == 2 * (3 + 1)
    np.testing.assert_allclose(lines[3].get_ydata(), errors[:, 0].mean(axis=0))


def test_the_tangent_touches_the_loss():
    values = np.linspace(-1.5, 1.5, 61)
    curve = ("$w$", values, values**2, 0.5, 1.0)
    fig = simple_rnn.draw_tangents([curve, curve])
    _, tangent, point = fig.axes[0].lines
    x, y = tangent.get_data()
    np.testing.assert_allclose(y, 0.25 + (x - 0.5), atol=1e-12)
    assert point.get_xydata().tolist() == [[0.5, 0.25]]


@pytest.mark.parametrize(
    "fig",
    [
        lambda: simple_rnn.draw_traces({0.5: np.ones(3), 1.2: np.zeros(3)}),
        lambda: simple_rnn.draw_lags([1.0, 0.1, 0.01]),
    ],
)
def test_small_figures_are_labelled(fig):
    made = fig()
    made.canvas.draw()
    assert unlabelled(made) == []
