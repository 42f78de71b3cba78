"""The pictures of lecture 08 say and show where was looked."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.show import attention as pictures
from course_lib.show.mechanisms import additive
from course_lib.show.plots import unlabelled

SOURCE, TARGET = ("a", "b", "c"), ("x", "y")
WEIGHTS = np.array([[0.05, 0.15, 0.8], [0.7, 0.2, 0.1]])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def labelled(fig) -> bool:
    fig.canvas.draw()
    return unlabelled(fig) == []


def test_the_map_shows_the_weights_and_rings_the_links():
    links = np.array([[False, False, True], [True, True, False]])
    fig, alt = pictures.draw_map(WEIGHTS, SOURCE, TARGET, links)
    assert np.array_equal(fig.axes[0].images[0].get_array(), WEIGHTS)
    middles = [np.add(p.get_xy(), 0.46).round(6) for p in fig.axes[0].patches]
    assert [tuple(m) for m in middles] == [(2, 0), (0, 1), (1, 1)]
    assert "belong together" in alt
    assert "belong" not in pictures.draw_map(WEIGHTS, SOURCE, TARGET)[1]
    brightest = [
        pictures.draw_map(WEIGHTS, SOURCE, TARGET, **limit)[0]
        .axes[0]
        .images[0]
        .get_clim()
        for limit in ({}, {"limit": 0.3})
    ]
    assert brightest == [(0, 1.0), (0, 0.3)]
    assert labelled(fig)
    with pytest.raises(ValueError, match=r"\(2, 3\) for 3 words written and 2 read"):
        pictures.draw_map(WEIGHTS, TARGET, SOURCE)


def test_a_look_is_drawn_for_the_chosen_word_and_panel():
    first = pictures.draw_look(1, 2)[1]
    assert '51% goes to "we"' in first
    said = [pictures.draw_look(word, 4)[1] for word in range(1, 5)]
    for text, word in zip(said, additive.WRITTEN, strict=True):
        assert f'"{word}"' in text
    assert ["and so on" in text for text in said] == [True, True, True, False]
    assert "The sentence ends." in said[-1]
    with pytest.raises(ValueError, match="word 5 is not among the 4"):
        pictures.draw_look(5, 1)


def test_encoders_are_drawn_side_by_side_with_what_they_see():
    one, both = np.tri(3, dtype=bool), np.ones((3, 3), dtype=bool)
    fig, alt = pictures.draw_sees(one_way=one, both_ways=both)
    assert "one way: 6 of 9" in alt
    assert "both ways: 9 of 9" in alt
    assert (fig.axes[0].images[0].get_array() > 0).tolist() == one.tolist()
    assert labelled(fig)


def test_every_draw_of_weights_is_a_line():
    sizes = {"a": [np.array([1.0, 0.1])] * 3, "b": [np.array([0.5, 1.0])] * 2}
    fig, _ = pictures.draw_paths(sizes)
    assert len(fig.axes[0].lines) == 5
    assert [text.get_text() for text in fig.axes[0].get_legend().texts] == ["a", "b"]
    assert labelled(fig)


def test_every_trained_model_is_a_point_beside_chance_and_diagonal():
    fig, _ = pictures.draw_alignments(
        {"m": [0.5, 0.75], "n": [0.25]}, {"chance": 0.1, "diagonal": 0.8}
    )
    ax = fig.axes[0]
    assert ax.lines[0].get_xdata().tolist() == [50, 75]
    assert [line.get_xdata()[0] for line in ax.lines[2:]] == pytest.approx([10, 80])
    assert {text.get_text() for text in ax.texts} == {"chance", "diagonal"}
    assert labelled(fig)
