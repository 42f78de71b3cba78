"""Pictures of lecture 03 draw what they are given, with labels and a description."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from stopwatch import assert_quick

from course_lib.models.gradient_curve import ACTIVATIONS, LAGS, gradient_curve
from course_lib.show import vanishing_gradients
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def complete(fig) -> bool:
    """Every visible axis has its label."""
    fig.canvas.draw()
    return unlabelled(fig) == []


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("radius", [0.2, 6.0])
@pytest.mark.parametrize("drive", [0.0, 3.0])
def test_every_corner_of_the_sliders_draws(radius, activation, drive):
    fig, alt = vanishing_gradients.draw_gradient_curve(radius, activation, drive)
    assert complete(fig)
    assert activation in alt
    assert f"{radius:.2f}" in alt


def test_the_drawn_line_is_the_middle_of_the_norms():
    curve = gradient_curve(0.9)
    fig, ax = plt.subplots()
    vanishing_gradients.plot_gradient_curve(ax, curve)
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert np.allclose(lines["true norm"], np.median(curve.norms, axis=0))
    assert np.allclose(lines["upper bound"], curve.bound)


def test_a_whole_number_is_a_radius_too():
    fig, _ = vanishing_gradients.draw_gradient_curve(radius=10)
    free = fig.axes[0].lines[1].get_ydata()
    assert free[-1] == pytest.approx(1e40)


def test_a_slider_step_takes_less_than_half_a_second():
    assert_quick(lambda: vanishing_gradients.draw_gradient_curve(1.1))


def test_runs_are_drawn_as_dots_with_a_line_through_their_means():
    fig, ax = plt.subplots()
    runs = np.array([[1.0, 0.5, 0.0], [0.2, 0.4, 0.9]])
    vanishing_gradients.plot_runs(ax, [5, 40], runs, "black", "some", shift=1.1)
    line, *dots = ax.lines
    assert np.allclose(line.get_ydata(), [0.5, 0.5])
    assert np.allclose(line.get_xdata(), [5.5, 44])
    for group, values in zip(dots, runs, strict=True):
        assert np.allclose(group.get_ydata(), sorted(values))
        assert np.all(np.diff(group.get_xdata()) > 0)  # none hides another
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
    assert "one: longest step 1.12, end at w = 5.00, b = 0.00" in alt
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


def test_near_and_far_stand_side_by_side_for_each_start():
    losses = np.array([[[1.2, 1.6], [1.4, 1.4]], [[0.1, 0.3], [1.3, 1.5]]])
    fig, alt = vanishing_gradients.draw_near_far({"flat": losses, "good": losses / 2})
    assert "flat start: near from 1.4 to 0.2, far from 1.4 to 1.4" in alt
    assert "good start: near from 0.7 to 0.1, far from 0.7 to 0.7" in alt
    near, far, guessing = fig.axes[0].lines
    assert np.allclose(near.get_ydata(), [1.4, 0.2])
    assert np.allclose(far.get_ydata(), [1.4, 1.4])
    assert np.allclose(guessing.get_ydata(), np.log(4))
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["flat start", "good start"]


RUNS = np.random.default_rng(0).uniform(0.1, 1, (3, 7))


@pytest.mark.parametrize(
    "draw",
    [
        lambda: vanishing_gradients.draw_regimes([gradient_curve(0.7)] * 2),
        lambda: vanishing_gradients.draw_one_number({"a": RUNS[0]}, "words " * 20),
        vanishing_gradients.draw_slopes,
        lambda: vanishing_gradients.draw_powers(
            dict.fromkeys((1.1, 1.0, 0.9), RUNS[0])
        ),
        lambda: vanishing_gradients.draw_shares({"a": RUNS, "b": RUNS}),
        lambda: vanishing_gradients.draw_near_far({"a": RUNS[:, :6].reshape(3, 2, 3)}),
        lambda: vanishing_gradients.draw_runs([1, 2, 4], {"a": RUNS}, "x", "w " * 50),
        lambda: vanishing_gradients.draw_runs(
            [1, 2, 4], {"a": RUNS, "b": RUNS}, "x", "w " * 50
        ),
    ],
)
def test_pictures_have_labels_and_a_description(draw):
    fig, description = draw()
    assert complete(fig)
    assert len(description) > 80


def test_the_picture_of_the_regimes_says_what_each_network_does():
    curves = [gradient_curve(radius) for radius in (0.7, 1.7, 5.0)]
    fig, alt = vanishing_gradients.draw_regimes(curves)
    for ax, words in zip(fig.axes, ("vanishes", "keeps", "explodes"), strict=True):
        assert words in ax.get_title(loc="left") + ax.get_title()
        assert words in alt
    assert curves[0].norms.shape[1] == LAGS + 1
