"""Pictures of lecture 03: the curves are true, the drawings show them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from stopwatch import assert_quick

from course_lib.show import vanishing_gradients
from course_lib.show.plots import unlabelled

TORCH = {
    "tanh": torch.tanh,
    "ReLU": torch.relu,
    "sigmoid": torch.sigmoid,
    "identity": lambda a: a,
}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def complete(fig) -> bool:
    """Every visible axis has its label."""
    fig.canvas.draw()
    return unlabelled(fig) == []


@pytest.mark.parametrize("activation", vanishing_gradients.ACTIVATIONS)
def test_norms_are_those_of_the_jacobian_that_autograd_finds(activation):
    curve = vanishing_gradients.gradient_curve(1.3, activation, drive=0.7, seed=5)
    W_h, entering = map(
        torch.tensor, vanishing_gradients.random_network(1.3, 0.7, seed=5)
    )
    phi, lag, example = TORCH[activation], 7, 2
    steps = entering[example]

    def forward(h, inputs):
        for u_t in inputs:
            h = phi(W_h @ h + u_t)
        return h

    middle = forward(torch.zeros(len(W_h), dtype=torch.float64), steps[:-lag])
    J = torch.autograd.functional.jacobian(lambda h: forward(h, steps[-lag:]), middle)
    truth = torch.linalg.matrix_norm(J, 2).item()
    assert curve.norms[example, lag] == pytest.approx(truth, rel=1e-9)


@pytest.mark.parametrize("activation", vanishing_gradients.ACTIVATIONS)
def test_slopes_are_derivatives_and_never_exceed_the_stated_largest(activation):
    phi = vanishing_gradients.ACTIVATIONS[activation]
    a = torch.linspace(-6, 6, 1000, dtype=torch.float64, requires_grad=True)
    value = TORCH[activation](a)
    (slope,) = torch.autograd.grad(value.sum(), a)
    points = a.detach().numpy()
    assert np.allclose(phi.value(points), value.detach().numpy(), atol=1e-12)
    assert np.allclose(phi.slope(points), slope.numpy(), atol=1e-12)
    assert slope.max() <= phi.largest_slope
    assert slope.max() > 0.99 * phi.largest_slope


@pytest.mark.parametrize("radius", [0.4, 1.0, 2.9])
@pytest.mark.parametrize("activation", vanishing_gradients.ACTIVATIONS)
def test_true_norms_never_exceed_the_bound(radius, activation):
    curve = vanishing_gradients.gradient_curve(radius, activation)
    assert curve.norms.shape == (
        vanishing_gradients.SEQUENCES,
        vanishing_gradients.LAGS + 1,
    )
    assert np.all(curve.norms <= curve.bound * (1 + 1e-9))
    assert np.all(curve.norms[:, 0] == 1)
    assert curve.largest_singular_value >= radius


def test_the_network_has_the_radius_and_the_drive_asked_for():
    W_h, entering = vanishing_gradients.random_network(1.7, 0.5, width=11)
    assert np.abs(np.linalg.eigvals(W_h)).max() == pytest.approx(1.7, rel=1e-12)
    assert entering.shape[2] == 11
    assert entering.std() == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(
    ("radius", "word"),
    [(0.7, "vanishes"), (1.7, "keeps its size"), (5.0, "explodes")],
)
def test_the_three_regimes_are_told_apart(radius, word):
    assert (
        vanishing_gradients.verdict(vanishing_gradients.gradient_curve(radius)) == word
    )


def test_settings_without_meaning_are_refused():
    with pytest.raises(ValueError, match=r"'softplus' is not one of \['tanh'"):
        vanishing_gradients.gradient_curve(1.0, "softplus")
    with pytest.raises(ValueError, match=r"got 0 and 0\.5"):
        vanishing_gradients.gradient_curve(0)
    with pytest.raises(ValueError, match=r"got 1 and -1"):
        vanishing_gradients.gradient_curve(1, drive=-1)


@pytest.mark.parametrize("activation", vanishing_gradients.ACTIVATIONS)
@pytest.mark.parametrize("radius", [0.2, 6.0])
@pytest.mark.parametrize("drive", [0.0, 3.0])
def test_every_corner_of_the_sliders_draws(radius, activation, drive):
    fig, alt = vanishing_gradients.draw_gradient_curve(radius, activation, drive)
    assert complete(fig)
    assert activation in alt
    assert f"{radius:.2f}" in alt


def test_the_drawn_line_is_the_middle_of_the_norms():
    curve = vanishing_gradients.gradient_curve(0.9)
    fig, ax = plt.subplots()
    vanishing_gradients.plot_gradient_curve(ax, curve)
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert np.allclose(lines["true norm"], np.median(curve.norms, axis=0))
    assert np.allclose(lines["upper bound"], curve.bound)


def test_a_slider_step_takes_less_than_half_a_second():
    assert_quick(lambda: vanishing_gradients.draw_gradient_curve(1.1))


def test_runs_are_drawn_as_dots_with_a_line_through_their_means():
    fig, ax = plt.subplots()
    runs = np.array([[1.0, 0.5, 0.0], [0.2, 0.4, 0.9]])
    vanishing_gradients.plot_runs(ax, [5, 40], runs, "black", "some", shift=1.1)
    line, *dots = ax.lines
    assert np.allclose(line.get_ydata(), [0.5, 0.5])
    assert np.allclose(line.get_xdata(), [5.5, 44])
    assert np.allclose(
        sorted(np.concatenate([d.get_ydata() for d in dots])),
        [
            0.0,
            0.2,
            0.4,
            0.5,
            0.9,
            1.0,
        ],
    )
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["5", "40"]


def test_runs_of_the_wrong_shape_are_refused():
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match=r"\(3, 2\); expected \(2, n\)"):
        vanishing_gradients.plot_runs(ax, [5, 40], np.zeros((3, 2)), "black", "some")


def test_the_cliff_shows_the_surface_and_the_path():
    points = np.array([[4.0, -2.0], [4.5, -1.0], [5.0, 0.0]])  # columns w, b
    window = (-3.0, 1.0, 3.0, 6.0)
    fig, alt = vanishing_gradients.draw_cliff(
        lambda w, b: (w - 4) ** 2 / 16 + 0 * b, [("one", "blue", points, window)]
    )
    ax = fig.axes[0]
    assert complete(fig)
    assert "one" in alt
    assert np.allclose(ax.lines[0].get_xydata(), points[:, ::-1])
    # the distance from the target is |w - 4| / 4; its lowest band is a strip along b
    lowest = ax.collections[0].get_paths()[0].get_extents()
    assert (lowest.x0, lowest.x1) == pytest.approx((-3, 1), abs=1e-6)
    assert (lowest.y0, lowest.y1) == pytest.approx((3.8, 4.2), abs=0.02)


def test_letters_are_shaded_in_proportion_to_their_share():
    sizes = np.array([2.0, 0.0, 1.0])
    fig, alt = vanishing_gradients.draw_shaded_letters([("net", "Bs?", sizes)])
    squares = [patch.get_alpha() for patch in fig.axes[0].patches]
    assert squares == [1.0, 0.0, 0.5]
    letters = [text.get_text() for text in fig.axes[0].texts]
    assert letters == ["B", "s", "?", "net"]
    assert "net: strongest at letter 1 of 3" in alt


def test_letters_and_sizes_must_match_and_something_must_count():
    with pytest.raises(ValueError, match=r"3 letters but sizes of shape \(2,\)"):
        vanishing_gradients.draw_shaded_letters([("net", "Bs?", np.ones(2))])
    with pytest.raises(ValueError, match="all sizes are zero"):
        vanishing_gradients.draw_shaded_letters([("net", "Bs?", np.zeros(3))])
