"""The drawings of lecture 06, and the numbers behind them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.models.longer_training import Row
from course_lib.show import language_models as pictures
from course_lib.show.plots import unlabelled

SCORES = np.log([0.4, 0.3, 0.15, 0.1, 0.05])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def well_drawn(fig, description):
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 40


def test_temperature_one_without_cuts_is_the_model():
    assert np.allclose(pictures.reshaped(SCORES), np.exp(SCORES), atol=1e-15)


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_temperature_is_a_power_of_the_probabilities(temperature):
    expected = np.exp(SCORES) ** (1 / temperature)
    got = pictures.reshaped(SCORES, temperature)
    assert np.allclose(got, expected / expected.sum(), atol=1e-15)


def test_top_k_keeps_the_k_most_probable_in_proportion():
    got = pictures.reshaped(SCORES, k=3)
    assert np.allclose(got, [0.4 / 0.85, 0.3 / 0.85, 0.15 / 0.85, 0, 0])


@pytest.mark.parametrize(("p", "kept"), [(0.39, 1), (0.41, 2), (0.71, 3), (1.0, 5)])
def test_top_p_keeps_the_fewest_that_reach_p(p, kept):
    got = pictures.reshaped(SCORES, p=p)
    assert (got > 0).sum() == kept
    assert got.sum() == pytest.approx(1)


def test_a_token_cut_away_never_comes_back_and_order_does_not_matter():
    shuffled = SCORES[[3, 0, 4, 1, 2]]
    got = pictures.reshaped(shuffled, 0.7, k=2, p=0.95)
    assert np.flatnonzero(got).tolist() == [1, 3]


@pytest.mark.parametrize(
    "bad", [{"temperature": 0.0}, {"k": -1}, {"p": 0.0}, {"p": 1.1}]
)
def test_impossible_settings_are_refused(bad):
    with pytest.raises(ValueError, match="must be positive"):
        pictures.reshaped(SCORES, **bad)


def test_perplexity_counts_equal_choices():
    assert pictures.perplexity(np.full(7, 1 / 7)) == pytest.approx(7)
    assert pictures.perplexity(np.array([0.0, 1.0])) == 1


def test_the_sampler_says_how_many_tokens_are_left():
    fig, text = pictures.draw_sampler(SCORES, list("abcde"), 0.5, 3, 1.0)
    well_drawn(fig, text)
    assert "3 of 5 tokens" in text
    labels = [tick.get_text() for tick in fig.axes[0].get_xticklabels()]
    assert labels == list("abcde")


def test_attribution_has_a_bar_for_every_letter_and_says_where_half_of_it_is():
    fig, text = pictures.draw_attribution("a cat", np.array([0.1, 0, 0.2, 0.3, 0.4]))
    well_drawn(fig, text)
    assert len(fig.axes[0].patches) == 5
    assert "the last 2 of them hold half" in text
    with pytest.raises(ValueError, match="3 letters but 2 shares"):
        pictures.draw_attribution("cat", np.ones(2))


def test_the_cost_of_a_line_says_what_first_letters_cost():
    fig, text = pictures.draw_surprise("a cat", np.array([4.0, 1, 6, 1, 1]))
    well_drawn(fig, text)
    assert "first letters of words 5.0 on average, all others 1.0" in text
    with pytest.raises(ValueError, match="3 letters but 2 costs"):
        pictures.draw_surprise("cat", np.ones(2))


def test_pieces_are_as_wide_as_their_letters():
    fig, text = pictures.draw_pieces({"0 joins": list("sea"), "2 joins": ["sea"]})
    well_drawn(fig, text)
    assert [bar.get_width() for bar in fig.axes[0].patches] == [1, 1, 1, 3]
    assert "3 tokens after 0 joins, 1 tokens after 2 joins" in text


def test_reach_limit_beliefs_and_contexts_are_drawn():
    seen = {"LSTM": np.tri(3) > 0, "other": np.ones((3, 3)) > 0}
    well_drawn(*pictures.draw_reach(seen))
    fig, text = pictures.draw_limit(
        np.array([1, 10]), np.array([[2.0, 1.0]]), {"runs of 2": 1.2}
    )
    well_drawn(fig, text)
    assert "runs of 2" in text
    well_drawn(*pictures.draw_beliefs(np.ones(5), np.zeros(5)))
    counted = np.array([3.0, 2.5, 2.0])
    fig, text = pictures.draw_contexts((1, 2, 4), [2.6, 2.2, 2.0], counted)
    well_drawn(fig, text)
    context, nats = fig.axes[0].lines[1].get_data()  # runs of 2 have 1 letter before
    assert list(zip(context, nats, strict=True)) == [(1, 2.5), (2, 2.0)]


def test_longer_training_goes_on_from_the_live_run():
    rows = [Row(78, 128, 400, 1, 1, 1.9, 1.8), Row(1024, 128, 400, 1, 1, 1.7, 1.6)]
    live = {"letters": 2.0, "byte pairs": 1.9}
    counted = {"letters": np.array([3.0, 1.5]), "byte pairs": np.array([1.4])}
    fig, text = pictures.draw_longer(rows, live, counted)
    well_drawn(fig, text)
    steps, nats = fig.axes[0].lines[0].get_data()
    assert (list(steps), list(nats)) == ([pictures.LIVE_STEPS, 400], [2.0, 1.8])
