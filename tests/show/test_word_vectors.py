"""The drawings of lecture 06b, and the numbers behind them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.show import word_vectors as pictures
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def well_drawn(fig, description):
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 40


def test_words_and_arrows_are_drawn():
    points = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    words = ["man", "king", "woman", "queen"]
    fig, text = pictures.draw_words(points, words, [("man", "king")])
    well_drawn(fig, text)
    assert "man to king" in text


def test_cosines_have_a_row_for_every_word():
    fig, text = pictures.draw_cosines(np.eye(3), ["day", "night", "sea"])
    well_drawn(fig, text)
    assert "day to sea" in text
    with pytest.raises(ValueError, match="2 words but 3 rows"):
        pictures.draw_cosines(np.eye(3), ["day", "night"])
