"""Pictures of lecture 04b draw what they are given, with labels and a description."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from course_lib.show import every_path
from course_lib.show.plots import unlabelled

NUMBERS = np.random.default_rng(0).uniform(0.1, 2, (5, 7))
LAGS = {-2: NUMBERS, 0: NUMBERS, 2: NUMBERS, 5: NUMBERS, "simple RNN": NUMBERS}
DIRECT = {bias: np.exp(bias) * NUMBERS**2 for bias in (-2, 0, 2, 5)}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: every_path.draw_paths({"direct": NUMBERS, "sum": -NUMBERS}),
        lambda: every_path.draw_lags(LAGS, DIRECT),
        lambda: every_path.draw_reset({"a": NUMBERS[:2], "b": NUMBERS[2:4]}, at=3),
        lambda: every_path.draw_highway(dict.fromkeys("abc", NUMBERS[0])),
        lambda: every_path.draw_growth(NUMBERS),
    ],
)
def test_pictures_have_labels_and_a_description(draw):
    fig, description = draw()
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 80


def test_the_dotted_lines_are_the_medians_of_the_direct_path():
    fig, _ = every_path.draw_lags(LAGS, DIRECT)
    dotted = [line for line in fig.axes[0].lines if line.get_linestyle() == ":"]
    assert len(dotted) == 4
    np.testing.assert_allclose(dotted[1].get_ydata(), np.median(DIRECT[0], axis=0))


def test_the_worst_network_is_the_one_that_ends_highest():
    growth = np.array([[9.0, 9.0, 1.0], [1.0, 2.0, 3.0]])
    fig, _ = every_path.draw_growth(growth)
    worst = next(line for line in fig.axes[0].lines if line.get_label() == "the worst")
    assert worst.get_ydata().tolist() == [1.0, 2.0, 3.0]
