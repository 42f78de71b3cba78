"""The pictures of lecture 08b put light and crosses where the network looked."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import nn

from course_lib.show import looking_at_pictures as pictures


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def centre_of_mass(light: np.ndarray) -> tuple[float, float]:
    """x and y in pixels from the edge; pixel k lies at k + 0.5."""
    place, share = np.arange(len(light)) + 0.5, light / light.sum()
    return float(share.sum(axis=0) @ place), float(share.sum(axis=1) @ place)


@pytest.mark.parametrize(("row", "column"), [(1, 2), (3, 1), (2, 4)])
def test_the_light_of_a_cell_lies_on_its_middle(row, column):
    weights = np.zeros((6, 6))
    weights[row, column] = 0.3
    light = pictures.overlay(weights, 24)
    assert light.shape == (24, 24)
    assert np.unravel_index(light.argmax(), light.shape) == (4 * row, 4 * column)
    assert light.max() == 1
    assert centre_of_mass(light) == pytest.approx((4 * column + 0.5, 4 * row + 0.5))


def test_the_middle_of_a_cell_is_the_middle_of_what_it_sees():
    """The pixels that reach cell (2, 3) through two convolutions of stride 2."""
    two = nn.Sequential(nn.Conv2d(1, 1, 3, 2, 1), nn.Conv2d(1, 1, 3, 2, 1)).double()
    for conv in two:
        nn.init.ones_(conv.weight)
    image = torch.zeros(1, 1, 24, 24, dtype=torch.float64, requires_grad=True)
    two(image)[0, 0, 2, 3].backward()
    assert centre_of_mass(image.grad[0, 0].numpy()) == pytest.approx((12.5, 8.5))


def test_equal_weights_light_everything():
    assert np.allclose(pictures.overlay(np.full((6, 6), 1 / 36), 24), 1)


def test_looks_dim_the_picture_and_cross_the_centre():
    image, weights = np.ones((3, 24, 24)), np.zeros((2, 6, 6))
    weights[0, 0, 5] = weights[1, 3, 3] = 1.0
    centres = np.array([[20.5, 0.5], [12.5, 12.5]])
    fig = pictures.looks(image, ("left", "right"), weights, centres)
    first, second = (ax.images[0].get_array() for ax in fig.axes)
    assert first[0, 20, 0] == second[12, 12, 0] == 1.0
    assert first[23, 0, 0] == 0.25
    assert fig.axes[0].lines[0].get_xydata().tolist() == [[20.0, 0.0]]


def test_the_window_is_drawn_with_its_centre():
    phi, kappa = np.arange(12.0).reshape(4, 3), np.array([0.0, 0.5, 1.0, 2.0])
    fig, alt = pictures.window_map(phi, kappa)
    assert np.array_equal(fig.axes[0].images[0].get_array(), phi.T)
    assert fig.axes[0].lines[0].get_ydata().tolist() == kappa.tolist()
    assert "from character 0.0 to 2.0 in 4 pen steps" in alt


def test_the_grid_of_a_zoom_stands_around_its_centre():
    offsets = np.array([-2.0, 0.0, 2.0])
    image, patch = np.ones((3, 24, 24)), np.zeros((3, 3, 3))
    fig, alt = pictures.draw_zoom(image, patch, offsets, (7, 12))
    points = fig.axes[0].lines[0].get_xydata()
    assert points.mean(axis=0).tolist() == [6.5, 11.5]
    assert len(points) == 9
    assert "(7, 12) that spans 4.0 pixels" in alt


def test_galleries_and_canvases_have_a_picture_for_each_title():
    fig = pictures.gallery(np.ones((3, 3, 4, 4)), ["a", "b", "c"], columns=2)
    shown = [ax.get_title() for ax in fig.axes if ax.images]
    assert shown == ["a", "b", "c"]
    edges = [ax.axison and ax.spines["left"].get_visible() for ax in fig.axes]
    assert edges == [True, True, True, False]  # white pictures need one
    fig, _ = pictures.draw_canvas([np.eye(4)] * 5, list("abcde"))
    assert len(fig.axes) == 5
