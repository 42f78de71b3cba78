"""Pictures of lecture 16: the arrays are true, the drawings are labelled and quick."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from stopwatch import assert_quick

from course_lib.show import state_spaces as pictures
from course_lib.show.mechanisms import kalman
from course_lib.show.plots import figure, unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def complete(fig) -> bool:
    """Every visible axis has its label."""
    fig.canvas.draw()
    return unlabelled(fig) == []


def test_the_two_families_are_drawn():
    fig, alt = pictures.draw_two_families(steps=5)
    texts = [text.get_text() for ax in fig.axes for text in ax.texts]
    assert texts.count("$z$") == 1
    assert {f"$z_{n}$" for n in range(1, 6)} <= set(texts)
    assert texts.count("$x_5$") == 2
    assert "x_1 to x_5" in alt


def test_band_holds_two_standard_deviations():
    _, ax = figure()
    pictures.band(ax, [1.0, 2.0, 4.0], [0.5, 0.1, 0.2], "red", "filter")
    edges = ax.collections[0].get_paths()[0].vertices
    assert edges[:, 1].max() == pytest.approx(4.4)
    assert edges[:, 1].min() == pytest.approx(0.0)
    assert ax.lines[0].get_xdata().tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match=r"\(3,\).*\(2,\)"):
        pictures.band(ax, [1.0, 2, 3], [1.0, 2], "red", "filter")


@pytest.mark.parametrize("x", [-2.0, 1.75, 4.0])
@pytest.mark.parametrize("R", [0.25, 4.0])
@pytest.mark.parametrize("Q", [0.25, 4.0])
def test_the_corrected_bell_is_the_product_of_the_other_two(x, R, Q):
    """Bayes' rule on the drawn curves themselves."""
    fig, alt = pictures.draw_bells(x, R, Q)
    assert complete(fig)
    predicted, seen, corrected = (line.get_ydata() for line in fig.axes[2].lines)
    product = predicted * seen / (predicted * seen).sum()
    assert product == pytest.approx(corrected / corrected.sum(), abs=1e-9)
    P_minus = kalman.A**2 * kalman.P_BEFORE + Q
    P = 1 / (1 / P_minus + 1 / R)  # precisions add up
    m = P * (kalman.A * kalman.M_BEFORE / P_minus + x / R)
    assert f"mean {m:.2f}, variance {P:.2f}; the gain" in alt


def test_the_bells_of_the_lecture_are_those_of_the_diagram():
    _, alt = pictures.draw_bells()
    made = kalman.numbers()
    assert f"mean {made['m']:.2f}, variance {made['P']:.2f}" in alt
    assert_quick(lambda: pictures.draw_bells(0.5))


def test_tracks_errors_and_speeds_say_what_they_show():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=13)
    lines = {"rule": hidden + 1, "Kalman": hidden + 0.1}
    fig, alt = pictures.draw_track(hidden, hidden + 0.5, lines, np.full(13, 0.2))
    assert complete(fig)
    assert "13 of 13 steps" in alt
    assert "rule 1.00, Kalman 0.10" in alt
    rules = {"a": [0.5, 0.6], "b": [0.2, 0.3]}
    fig, alt = pictures.draw_errors({"now": rules, "next": rules})
    assert complete(fig)
    assert "now: a 0.55, b 0.25; next: a 0.55" in alt
    band = np.zeros(13), np.full(13, 0.5)
    fig, alt = pictures.draw_speed(hidden, {"filtering": band, "smoothing": band})
    assert complete(fig)
    assert "filtering 2.00 at the first step, 2.00 on average" in alt


def test_beliefs_of_a_hidden_chain_are_counted():
    truth = np.array([0, 0, 1, 1, 1])
    word = np.array([0, 1, 1, 0, 1])
    now, later = (
        np.array([0.1, 0.7, 0.8, 0.4, 0.9]),
        np.array([0.1, 0.2, 0.8, 0.7, 0.9]),
    )
    fig, alt = pictures.draw_hmm(now, later, truth, word)
    assert complete(fig)
    assert "3 and 5 of 5 steps" in alt
