"""Pictures of lecture 03b draw what they are given, with labels and a description."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from course_lib.show import size_of_a_product as pictures
from course_lib.show.plots import unlabelled

NUMBERS = np.random.default_rng(0).uniform(0.1, 2, (3, 7))
BY_GAIN = dict(zip((0.5, 1.0, 1.5), NUMBERS, strict=True))


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: pictures.draw_two_numbers(NUMBERS[0], 10.0, 0.5),
        lambda: pictures.draw_families(dict.fromkeys("abc", NUMBERS[:2])),
        lambda: pictures.draw_products({False: BY_GAIN, True: BY_GAIN}),
        lambda: pictures.draw_coin(NUMBERS[0], 1.0),
    ],
)
def test_pictures_have_labels_and_a_description(draw):
    fig, description = draw()
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 80


def test_the_norms_stand_between_their_two_lines():
    fig, _ = pictures.draw_two_numbers(NUMBERS[0], 3.0, 0.5)
    above, norms, below = (line.get_ydata() for line in fig.axes[0].lines)
    assert np.allclose(above, 3.0 ** np.arange(7))
    assert np.allclose(norms, NUMBERS[0])
    assert np.allclose(below, 0.5 ** np.arange(7))
