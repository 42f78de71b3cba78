"""Pictures of lecture 09: the weights are true, the drawings show them."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from stopwatch import assert_quick

from course_lib.show import attention_layers as pictures
from course_lib.show.plots import unlabelled

WORDS = pictures.WORDS


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("head", pictures.HEADS)
@pytest.mark.parametrize("mask", pictures.MASKS)
@pytest.mark.parametrize("temperature", [0.1, 1.0, 3.0])
def test_weights_are_those_of_torch(head, mask, temperature):
    reading = pictures.read(head, mask, temperature)
    q, k = map(torch.tensor, pictures.queries_and_keys(head))
    expected = F.scaled_dot_product_attention(
        q,
        k,
        torch.eye(len(WORDS), dtype=torch.float64),  # values that show the weights
        attn_mask=torch.from_numpy(reading.mask),
        scale=pictures.STRENGTH / temperature,
    )
    assert np.allclose(reading.weights, expected.numpy(), atol=1e-12)
    assert np.allclose(reading.weights.sum(axis=1), 1)
    assert np.all(reading.weights[~reading.mask] == 0)


def weight(reading, query: str, key: str) -> float:
    return reading.weights[WORDS.index(query), WORDS.index(key)]


def test_each_head_does_what_its_name_says():
    same, before, nouns = (pictures.read(h, temperature=0.1) for h in pictures.HEADS)
    assert weight(same, "cat", "tiger") == pytest.approx(0.5)
    assert weight(same, "ran", "saw") == pytest.approx(0.5)
    for first, second in itertools.pairwise(WORDS):
        assert weight(before, second, first) == pytest.approx(1)
    assert weight(nouns, "it", "cat") == pytest.approx(0.5)
    assert np.allclose(nouns.weights[0], 1 / 8)  # a word that asks for nothing


def test_temperature_changes_how_many_words_are_read():
    cold, warm = (pictures.read("same kind of word", temperature=t) for t in (0.1, 50))
    assert cold.words_read[1] == pytest.approx(2)
    assert warm.words_read[1] == pytest.approx(8, abs=0.05)


def test_masks_are_what_they_are_called():
    assert np.array_equal(pictures.mask_of("causal"), np.tri(8, dtype=bool))
    assert pictures.mask_of("window of 3").sum(axis=1).tolist() == [2, *[3] * 6, 2]
    assert not pictures.mask_of("not oneself").diagonal().any()
    assert pictures.mask_of("none").all()


def test_settings_without_meaning_are_refused():
    with pytest.raises(ValueError, match="no head 'none': expected one of"):
        pictures.read("none")
    with pytest.raises(ValueError, match="no mask 'most': expected one of"):
        pictures.read(pictures.HEADS[0], "most")
    with pytest.raises(ValueError, match="temperature 0: it must be above 0"):
        pictures.read(pictures.HEADS[0], temperature=0)


@pytest.mark.parametrize(
    ("head", "temperature"), [(pictures.HEADS[0], 0.1), (pictures.HEADS[1], 5.0)]
)
@pytest.mark.parametrize("mask", pictures.MASKS)
def test_every_corner_of_the_controls_draws(head, mask, temperature):
    fig, alt = pictures.draw_explorer(head, mask, temperature)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert head in alt
    assert mask in alt
    drawn = fig.axes[1].images[0].get_array()
    assert np.allclose(drawn, pictures.read(head, mask, temperature).weights)
    crosses = fig.axes[0].collections[0].get_offsets()
    assert len(crosses) == (~pictures.mask_of(mask)).sum()


def test_the_description_says_what_it_reads():
    assert "most from: cat, tiger" in pictures.draw_explorer(pictures.HEADS[2])[1]
    assert "most from: and" in pictures.draw_explorer("the word before")[1]


def test_a_step_takes_less_than_half_a_second():
    assert_quick(lambda: pictures.draw_explorer(mask="causal"))


def test_word_map_has_a_row_for_each_query():
    _, ax = plt.subplots()
    pictures.word_map(ax, np.eye(2, 3), ["a", "b"], ["x", "y", "z"])
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["x", "y", "z"]


def test_maps_have_letters_upright_and_words_slanted():
    for names, slant in (("abc", 0), (["one", "two", "three"], 45)):
        fig, said = pictures.draw_maps(
            {"left": np.eye(3), "right": np.eye(3)}, names, "x"
        )
        fig.canvas.draw()
        assert unlabelled(fig) == []
        assert said == "x"
        assert [ax.get_title(loc="left") for ax in fig.axes[:2]] == ["left", "right"]
        assert {t.get_rotation() for t in fig.axes[0].get_xticklabels()} == {slant}


def test_every_network_and_every_table_is_drawn():
    losses = {"one head": [2.3, 2.2, 2.4], "four heads": [2.1, 2.0]}
    fig, alt = pictures.draw_nats(losses, {"2-grams": 2.5, "3-grams": 1.9})
    fig.canvas.draw()
    assert unlabelled(fig) == []
    points, dashed = fig.axes[0].lines[:2], fig.axes[0].lines[2:]
    assert [list(line.get_xdata()) for line in points] == list(losses.values())
    assert [line.get_xdata()[0] for line in dashed] == [2.5, 1.9]
    assert len({line.get_color() for line in dashed}) == 2
    assert "four heads" in alt
    assert "3-grams" in alt


def test_distances_and_saturation_draw_what_they_are_given():
    fig, _ = pictures.draw_distances({"head 1": np.array([0.2, 0.7, 0.1])}, "says")
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert list(fig.axes[0].lines[0].get_ydata()) == [0.2, 0.7, 0.1]
    sizes = {"with": [0.2, 0.2], "without": [0.5, 0.9]}
    fig, _ = pictures.draw_saturation([4, 16], sizes, sizes)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert [list(line.get_ydata()) for line in fig.axes[0].lines] == [*sizes.values()]
