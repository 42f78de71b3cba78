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


def test_the_area_of_a_dot_is_the_weight_of_its_point():
    clouds, weights = rng.random((3, 11, 2)), rng.random((3, 11))
    titles, told = ["circle", "square", "circle"], "three clouds of eleven points"
    fig, alt = pictures.draw_clouds(clouds, weights, titles, told)
    for ax, points, weight in zip(fig.axes, clouds, weights, strict=True):
        dots = ax.collections[0]
        assert np.allclose(dots.get_offsets(), points)
        assert np.allclose(dots.get_sizes() / 40, weight / weight.mean())
    assert [ax.get_title(loc="left") for ax in fig.axes] == titles
    assert alt == told


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


def test_gallery_draws_every_picture_and_the_line():
    rows = {"true": rng.random((5, 8, 8)), "drawn": rng.random((5, 8, 8))}
    fig, alt = pictures.draw_gallery(rows, "ten small pictures", given=4)
    drawn = [ax.images[0].get_array() for ax in fig.axes]
    assert np.allclose(drawn, np.concatenate(list(rows.values())))
    assert [fig.axes[0].get_ylabel(), fig.axes[5].get_ylabel()] == ["true", "drawn"]
    assert fig.axes[0].lines[0].get_ydata()[0] == 3.5
    assert alt == "ten small pictures"


def test_words_stand_over_what_they_read():
    picture, maps = rng.random((3, 24, 24)), rng.random((2, 4, 4))
    fig, _ = pictures.draw_words(picture, ["red", "ring"], maps, "a red ring")
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["picture", "red", "ring"]
    assert np.allclose(fig.axes[0].images[0].get_array(), picture.transpose(1, 2, 0))
    for ax, weight in zip(fig.axes[1:], maps, strict=True):
        over = ax.images[1]
        assert np.allclose(over.get_array(), weight)
        assert over.get_extent() == [-0.5, 23.5, 23.5, -0.5]
