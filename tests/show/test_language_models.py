"""The drawings and the sound of lecture 06, and the numbers behind them."""

import io
import wave

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.show import audio
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


def test_words_and_arrows_are_drawn():
    points = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    words = ["man", "king", "woman", "queen"]
    fig, text = pictures.draw_words(points, words, [("man", "king")])
    well_drawn(fig, text)
    assert "man to king" in text


def test_rolls_show_the_bars_asked_for():
    notes = [(0.0, 2.0, 62), (2.0, 4.0, 69), (6.0, 6.0, 74), (12.0, 3.0, 67)]
    fig, text = pictures.draw_rolls({"a tune": notes, "another": notes}, 6, bars=2)
    well_drawn(fig, text)
    assert "a tune; another" in text
    assert len(fig.axes[0].lines) == 3  # the fourth note lies in bar 3


def test_a_reading_ends_with_its_verdict():
    fig, text = pictures.draw_reading(
        [("a b c", np.array([0.5, 0.4, 0.9])), ("c b a", np.array([0.5, 0.9, 0.2]))]
    )
    well_drawn(fig, text)
    assert text.endswith("kind, harsh.")


def test_attribution_has_a_bar_for_every_letter_and_says_where_half_of_it_is():
    fig, text = pictures.draw_attribution("a cat", np.array([0.1, 0, 0.2, 0.3, 0.4]))
    well_drawn(fig, text)
    assert len(fig.axes[0].patches) == 5
    assert "the last 2 of them hold half" in text
    with pytest.raises(ValueError, match="3 letters but 2 shares"):
        pictures.draw_attribution("cat", np.ones(2))


def test_skill_has_a_line_for_every_rule():
    errors = {"persistence": np.ones(5), "climatology": np.full(5, 0.5)}
    fig, text = pictures.draw_skill(errors, np.ones((3, 5)), "°C", "the sea")
    well_drawn(fig, text)
    assert "persistence, climatology and 3 LSTMs" in text


def test_an_octave_doubles_the_frequency():
    assert audio.frequency(69) == 440
    assert audio.frequency(81) == pytest.approx(880)


def test_a_note_sounds_at_its_frequency():
    tone = audio.pluck(69, 1.0)
    loudest = np.abs(np.fft.rfft(tone)).argmax()  # one bin is one hertz
    assert abs(loudest - 440) <= 1


def test_a_tune_lasts_as_long_as_its_notes_and_rests_are_silent():
    sound = audio.render([(0, 2, 69), (4, 3, 76)], eighth=0.25)
    assert len(sound) == round(7 * 0.25 * audio.RATE) + 1
    silent = sound[round(2 * 0.25 * audio.RATE) + 1 : round(4 * 0.25 * audio.RATE)]
    assert np.abs(silent).max() == 0
    assert np.abs(sound).max() == pytest.approx(0.9)


def test_no_notes_is_an_error():
    with pytest.raises(ValueError, match="no notes"):
        audio.render([])


def test_the_file_is_a_wav_of_one_byte_per_sample():
    samples = np.array([-1.0, 0.0, 1.0])
    with wave.open(io.BytesIO(audio.wav(samples))) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 1)
        assert file.getframerate() == audio.RATE
        stored = np.frombuffer(file.readframes(3), "u1")
    assert stored.tolist() == [0, 128, 254]


def test_the_player_carries_its_sound():
    assert "data:audio/wav;base64," in audio.player([(0, 1, 69)])._repr_html_()
