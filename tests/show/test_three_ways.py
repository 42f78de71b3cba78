"""Pictures of lecture 10b: what is measured is what is drawn."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.show import three_ways as pictures
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_a_line_for_every_dependence():
    seen = {"chain": np.tril(np.ones((4, 4))), "self": np.eye(4)}
    fig, alt = pictures.draw_wiring(seen)
    fig.canvas.draw()
    lines = [len(ax.lines) - 2 for ax in fig.axes]  # two rows of dots
    assert lines == [10, 4]
    assert "chain 4, self 1" in alt


def test_curves_are_labelled():
    lines = {name: ([1, 2, 4], [1.0, 0.1, 0.01]) for name in ("a", "b", "c")}
    for draw in (pictures.draw_fading, pictures.draw_times):
        fig, _ = draw(lines)
        fig.canvas.draw()
        assert unlabelled(fig) == []
        assert [list(line.get_xdata()) for line in fig.axes[0].lines] == [[1, 2, 4]] * 3


def test_a_layer_has_one_colour_in_both_pictures():
    colours = {}
    for draw in (pictures.draw_fading, pictures.draw_times):
        fig, _ = draw({name: ([1, 2], [1.0, 0.1]) for name in pictures.LAYERS})
        for line in fig.axes[0].lines:
            colours.setdefault(line.get_label(), set()).add(line.get_color())
    assert [len(of_one) for of_one in colours.values()] == [1] * len(pictures.LAYERS)
    assert len(set.union(*colours.values())) == len(pictures.LAYERS)
