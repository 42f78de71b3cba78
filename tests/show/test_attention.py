"""The drawings of lecture 08 say and show where was looked."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.show import attention as drawings
from course_lib.show.plots import BLUE, GREY, unlabelled

SOURCE, TARGET = ("a", "b", "c"), ("x", "y")
WEIGHTS = np.array([[0.05, 0.15, 0.8], [0.7, 0.2, 0.1]])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_the_diagram_uses_weights_that_add_up_to_one():
    assert np.allclose(drawings.WEIGHTS.sum(axis=1), 1)
    fig, alt = drawings.looking_back()
    texts = {text.get_text() for text in fig.axes[0].texts}
    assert {*drawings.SOURCE, "writes pan", "$v_3$", "$f_4$"} <= texts
    assert "for comiendo to eating" in alt


def test_the_map_shows_the_weights_and_names_the_largest():
    fig, alt = drawings.weight_map(WEIGHTS, SOURCE, TARGET, frame=(0, 1, 1, 2))
    assert np.array_equal(fig.axes[0].images[0].get_array(), WEIGHTS)
    assert "x from c, y from a" in alt
    frame = fig.axes[0].patches[0]
    assert (*frame.get_xy(), frame.get_width(), frame.get_height()) == (0.5, -0.5, 2, 2)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    with pytest.raises(ValueError, match=r"\(2, 3\) for 3 words written and 2 read"):
        drawings.weight_map(WEIGHTS, TARGET, SOURCE)


def test_reading_draws_the_row_of_the_chosen_word():
    fig, alt = drawings.reading(WEIGHTS, SOURCE, TARGET, 2)
    bars = fig.axes[0].patches
    assert [bar.get_height() for bar in bars] == [0.7, 0.2, 0.1]
    assert fig.axes[0].get_title(loc="left") == "x [y]"
    assert "reading a with weight 0.70" in alt
    colours = [plt.matplotlib.colors.to_hex(bar.get_facecolor()) for bar in bars]
    assert colours == [BLUE.lower(), BLUE.lower(), GREY.lower()]
    with pytest.raises(ValueError, match="word 3 is not among the 2"):
        drawings.reading(WEIGHTS, SOURCE, TARGET, 3)


def test_looks_keep_the_picture_where_the_weight_is_largest():
    image = np.ones((3, 6, 6))
    weights = np.zeros((2, 3, 3))
    weights[0, 0, 2] = weights[1, 1, 1] = 1.0
    centres = np.array([[5.0, 1.0], [3.0, 3.0]])
    fig = drawings.looks(image, ("left", "right"), weights, centres)
    first, second = (ax.images[0].get_array() for ax in fig.axes)
    assert first[0, 5, 0] == 1.0
    assert first[5, 0, 0] == 0.25
    assert second[3, 3, 0] == 1.0
    assert fig.axes[0].lines[0].get_xydata().tolist() == [[4.5, 0.5]]


def test_the_window_is_drawn_with_its_centre():
    phi, kappa = np.arange(12.0).reshape(4, 3), np.array([0.0, 0.5, 1.0, 2.0])
    fig, alt = drawings.window_map(phi, kappa)
    assert np.array_equal(fig.axes[0].images[0].get_array(), phi.T)
    assert fig.axes[0].lines[0].get_ydata().tolist() == kappa.tolist()
    assert "from character 0.0 to 2.0 in 4 pen steps" in alt
