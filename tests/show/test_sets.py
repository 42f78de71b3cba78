"""Pictures of lecture 14: what is drawn is what was computed."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from stopwatch import assert_quick

from course_lib.show import sets as pictures
from course_lib.show.plots import unlabelled

CENTRES = np.array([[-2.0, -2], [2, -2], [-2, 2], [2, 2]])
CLUSTER = np.arange(23) % 4
rng = np.random.default_rng(0)
POINTS = CENTRES[CLUSTER] + 0.2 * rng.standard_normal((23, 2))


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def look(points):
    """A stand-in whose inducing point m reads what is near corner m."""
    distance = ((CENTRES[:, None] - points) ** 2).sum(axis=2)  # (4, N)
    weights = np.exp(-distance)
    weights /= weights.sum(axis=1, keepdims=True)
    return CENTRES[distance.argmin(axis=0)], weights


def test_one_point_moves_alone_and_a_cluster_moves_together():
    alone = pictures.moved(POINTS, CLUSTER, "one point", 1.0, 0.5)
    assert np.allclose(alone[0], [1.0, 0.5])
    assert np.array_equal(alone[1:], POINTS[1:])
    together = pictures.moved(POINTS, CLUSTER, "its cluster", 1.0, 0.5)
    step = np.array([1.0, 0.5]) - POINTS[0]
    own = CLUSTER[0] == CLUSTER
    assert np.allclose(together[own], POINTS[own] + step)
    assert np.array_equal(together[~own], POINTS[~own])
    with pytest.raises(ValueError, match="'all', expected one of"):
        pictures.moved(POINTS, CLUSTER, "all", 0, 0)


@pytest.mark.parametrize("moves", pictures.MOVES)
@pytest.mark.parametrize("x", [-4.0, 4.0])
@pytest.mark.parametrize("y", [-4.0, 0.0, 4.0])
def test_every_corner_of_the_controls_draws(moves, x, y):
    fig, alt = pictures.draw_bridge(look, POINTS, CLUSTER, moves, x, y)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert moves in alt
    drawn = fig.axes[1].images[0].get_array()
    weights = look(pictures.moved(POINTS, CLUSTER, moves, x, y))[1]
    order = np.argsort(CLUSTER, kind="stable")
    assert np.allclose(drawn, weights[:, order])
    circled = fig.axes[0].collections[0].get_offsets()
    assert np.allclose(circled, [[x, y]])


def test_a_point_that_changes_hands_is_told():
    near, far = ((-2.0, -2.0), (2.0, 2.0))
    assert (
        "inducing point 1,"
        in pictures.draw_bridge(look, POINTS, CLUSTER, "one point", *near)[1]
    )
    alt = pictures.draw_bridge(look, POINTS, CLUSTER, "one point", *far)[1]
    assert "inducing point 4," in alt
    assert "(2.0, 2.0)" in alt


def test_every_element_is_drawn_once_in_the_colour_of_its_reader():
    fig, _ = pictures.draw_bridge(look, POINTS, CLUSTER, "one point", *POINTS[0])
    groups = fig.axes[0].collections[1:5]  # after the circle, before the crosses
    assert sum(len(group.get_offsets()) for group in groups) == len(POINTS)
    for m, group in enumerate(groups):
        assert np.allclose(group.get_offsets(), POINTS[m == CLUSTER])


def test_a_step_takes_less_than_half_a_second():
    assert_quick(lambda: pictures.draw_bridge(look, POINTS, CLUSTER, x=1.0))


def test_clouds_are_drawn_where_they_are():
    clouds, titles = rng.random((3, 11, 2)), ["circle", "square", "circle"]
    fig, alt = pictures.draw_clouds(clouds, titles, "three clouds of eleven points")
    for ax, points in zip(fig.axes, clouds, strict=True):
        assert np.allclose(ax.collections[0].get_offsets(), points)
    assert [ax.get_title(loc="left") for ax in fig.axes] == titles
    assert alt == "three clouds of eleven points"


def test_a_row_keeps_the_colour_of_its_element_when_it_moves():
    before = {"X": np.array([[1, 4], [3, 0], [2, 2]]), "sum": np.array([6, 6])}
    order = [1, 0, 2]
    after = {"X": before["X"][order], "sum": before["sum"]}
    fig, _ = pictures.draw_shuffle(before, after, order)
    colours = [[p.get_facecolor() for p in ax.patches[::2]] for ax in fig.axes]
    assert [colours[0][n] for n in order] == colours[2]
    assert colours[1] == colours[3]
    assert [t.get_text() for t in fig.axes[2].texts] == list("301422")


def test_every_seed_is_a_point_and_groups_have_colours():
    groups = {"seen": {"a": [0.1, 0.2, 0.3], "b": [0.5, 0.6, 0.7]}}
    groups["new"] = {name: [2 * v for v in row] for name, row in groups["seen"].items()}
    told = "three seeds of two networks"
    fig, _ = pictures.draw_seeds({"task": groups}, "error", told, {"task": 0.4})
    (ax,) = fig.axes
    drawn = [
        line.get_xdata().tolist() for line in ax.lines if len(line.get_xdata()) > 2
    ]
    expected = [row for group in groups.values() for row in group.values()]
    assert np.allclose(drawn, expected)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["seen", "new"]
    assert any(line.get_xdata()[0] == 0.4 for line in ax.lines if len(line.get_xdata()))
    fig.canvas.draw()
    assert unlabelled(fig) == []


def test_learned_points_stand_among_the_data():
    data, found = rng.random((17, 2)), {1: rng.random((1, 2)), 4: rng.random((4, 2))}
    fig, _ = pictures.draw_pseudo_inputs(data, found, "1 and 4 points among 17")
    for ax, learned in zip(fig.axes, found.values(), strict=True):
        assert np.allclose(ax.collections[1].get_offsets(), learned)
    fig.canvas.draw()
    assert unlabelled(fig) == []


def test_processes_are_told_in_the_order_of_their_distance_from_what_is_known():
    grid = np.linspace(-2, 2, 41)
    truth = np.sin(grid)
    context = np.stack([grid[::10], truth[::10]], axis=1)
    panels = {"exact": (truth, 0 * grid), "off": (truth + 0.5, 0 * grid + 0.1)}
    fig, alt = pictures.draw_processes(grid, truth, context, panels)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert alt.endswith("most to the closest: off, exact.")
    assert not set("0123456789") & set(alt.split("points", 1)[1])
    assert np.allclose(fig.axes[1].lines[1].get_ydata(), truth + 0.5)
