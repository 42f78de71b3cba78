"""The drawings and the sound of lecture 06c, and the numbers behind them."""

import io
import wave

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.data import climate
from course_lib.show import audio
from course_lib.show import music_mood_weather as pictures
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def well_drawn(fig, description):
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 40


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


def test_skill_has_a_line_for_every_rule():
    errors = {"persistence": np.ones(5), "damped persistence": np.full(5, 0.5)}
    fig, text = pictures.draw_skill(errors, np.ones((3, 5)), "°C", "the sea")
    well_drawn(fig, text)
    assert "persistence, damped persistence and 3 LSTMs" in text
    assert fig.axes[0].get_ylim()[1] == pytest.approx(1.15)  # the runs', not 0.5


def test_skill_shows_what_is_lost_or_won_against_damped_persistence():
    errors = {"persistence": np.ones(5), "damped persistence": np.full(5, 0.5)}
    fig, _ = pictures.draw_skill(errors, np.full((3, 5), 0.4), "°C", "the sea")
    lines = [line.get_ydata() for line in fig.axes[1].lines]
    assert np.allclose(lines, [[-0.1] * 5, [0.5] * 5, [0.0] * 5])  # LSTM and rules


def test_models_stand_at_their_perplexity_and_share():
    points = {"runs of 2": (12.0, 0.05), "runs of 9": (13.0, 0.97), "LSTM": (5.7, 0.9)}
    points["runs of 3, told the place"] = (6.4, 0.9)
    fig, text = pictures.draw_bars_and_perplexity(points, 0.99)
    well_drawn(fig, text)
    line, *drawn = (part.get_xydata() for part in fig.axes[0].lines[:5])
    assert [tuple(one[0]) for one in drawn] == list(points.values())
    assert len(line) == 2  # the line joins what differs in the length of runs alone


def test_bar_lines_have_a_bar_for_every_model_and_place():
    fig, text = pictures.draw_bar_lines({"LSTM": [0, 0.5], "runs of 2": [0.1, 0.2]})
    well_drawn(fig, text)
    assert [bar.get_height() for bar in fig.axes[0].patches] == [0, 0.5, 0.1, 0.2]


def test_series_are_drawn_with_their_split():
    both = {"sea": climate.load("elnino"), "air": climate.load("co2")}
    fig, text = pictures.draw_series(both, (1990, 1985))
    well_drawn(fig, text)
    assert fig.axes[1].lines[1].get_xdata()[0] == 1985


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
