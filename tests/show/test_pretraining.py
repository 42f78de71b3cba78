"""Pictures of lecture 11: the counts are true, the drawings show them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from course_lib.models.gpt import GPT
from course_lib.show import pretraining as pictures
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def complete(fig) -> bool:
    fig.canvas.draw()
    return unlabelled(fig) == []


@pytest.mark.parametrize("shape", [(12, 768, 50257, 1024), (2, 12, 5, 7), (0, 4, 3, 2)])
def test_size_is_that_of_the_model(shape):
    layers, width, words, context = shape
    with torch.device("meta"):
        model = GPT(words, width, 2, layers, context)
    assert pictures.size(*shape) == sum(p.numel() for p in model.parameters())


def test_a_negative_size_is_refused():
    with pytest.raises(ValueError, match="layers -1"):
        pictures.size(-1, 4, 3)


def test_published_rows_are_possible_models():
    for row in pictures.PUBLISHED:
        assert row.width % row.heads == 0
        assert row.kind in pictures.KINDS
        assert row.kind != "both" or row.layers % 2 == 0


def test_a_sample_shows_its_text_and_its_chances():
    pieces, chances = [" of", " the", " cl", "ass", "\n"], [0.5, 0.4, 0.1, 0.9, 0.2]
    fig, alt = pictures.draw_sample("A prompt", pieces, chances, 0.7)
    assert complete(fig)
    above, below = fig.axes
    assert "of the class" in above.texts[0].get_text()
    assert [bar.get_height() for bar in below.patches] == chances
    assert "A prompt" in alt
    assert "0.42" in alt
    with pytest.raises(ValueError, match="5 tokens but 4"):
        pictures.draw_sample("A prompt", pieces, chances[:4], 1.0)


def test_few_labels_shows_every_run():
    runs = {"first": np.full((3, 2), 0.9), "second": np.array([[0.4, 0.6]] * 3)}
    fig, alt = pictures.draw_few_labels(runs, (4, 16), majority=0.5)
    assert complete(fig)
    dots = [line for line in fig.axes[0].lines if line.get_marker() == "o"]
    assert len(dots) == 6
    assert "second from 40 to 60" in alt


def test_few_labels_can_have_the_line_that_counting_predicts():
    runs = {"first": np.full((2, 3), 0.5)}
    fig, _ = pictures.draw_few_labels(runs, (4, 16, 64), 0.5, [0.525, 0.6, 0.9])
    (dotted,) = (line for line in fig.axes[0].lines if line.get_linestyle() == ":")
    assert np.allclose(dotted.get_ydata(), [52.5, 60, 90])


def test_the_plane_has_a_colour_for_each_kind():
    points = np.random.default_rng(0).random((10, 2))
    kinds = {"fruits": slice(0, 5), "tools": slice(5, 10)}
    fig, alt = pictures.draw_plane(points, kinds, [str(i) for i in range(10)])
    assert complete(fig)
    colours = {line.get_color() for line in fig.axes[0].lines}
    assert len(colours) == 2
    assert "fruits and tools" in alt
    assert [t.get_text() for t in fig.axes[0].texts] == ["0", "8"]


def test_of_two_names_on_the_plane_none_hides_the_other():
    points = np.random.default_rng(0).random((10, 2))
    points[0], points[8] = (0.5, 0.5), (0.55, 0.51)
    kinds = {"fruits": slice(0, 5), "tools": slice(5, 10)}
    fig, _ = pictures.draw_plane(points, kinds, [f"word {i}" for i in range(10)])
    fig.canvas.draw()
    one, other = (t.get_window_extent() for t in fig.axes[0].texts)
    assert not one.overlaps(other)


def test_a_gap_is_drawn_with_all_that_may_fill_it():
    chances = {"pear": [0.6, 0.1], "saw": [0.2, 0.7]}
    fig, alt = pictures.draw_gap(["[CLS]", "a", "[MASK]", "pear"], ["x", "y"], chances)
    assert complete(fig)
    sentence, bars = fig.axes
    assert [t.get_text() for t in sentence.texts][:4] == [
        "[CLS]",
        "a",
        "[MASK]",
        "pear",
    ]
    assert [bar.get_width() for bar in bars.patches] == [0.6, 0.1, 0.2, 0.7]
    assert "with pear x; with saw x, y." in alt


def test_loss_by_size_has_a_point_each_and_the_line_of_counting():
    fig, alt = pictures.draw_loss_by_size([20, 170, 3500], [2.1, 2.0, 1.49], 1.57)
    assert complete(fig)
    points, line = fig.axes[0].lines
    assert list(points.get_ydata()) == [2.1, 2.0, 1.49]
    assert set(line.get_ydata()) == {1.57}
    assert "n-gram" in alt


def test_reach_has_a_panel_for_each_mask():
    fig, _ = pictures.draw_reach({"a": np.tri(5), "b": np.ones((5, 5))})
    assert complete(fig)
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["a", "b"]


def test_lookup_shows_every_network():
    fig, alt = pictures.draw_lookup({"two": [0.99, 1.0], "one": [0.25, 0.2]})
    assert complete(fig)
    assert "one 20 to 25" in alt


def test_heads_are_drawn_and_the_answer_is_framed():
    words = ["a", "b", "c", "a"]
    second = np.eye(4)
    second[3] = [0, 0.9, 0.1, 0]
    fig, alt = pictures.draw_heads(words, np.eye(4), second, answer=1)
    assert complete(fig)
    frame = fig.axes[1].patches[0]
    assert frame.get_xy() == (0.5, 2.5)
    assert "looks at b" in alt
    assert "more than half" in alt
