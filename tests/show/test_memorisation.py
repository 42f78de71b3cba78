"""Pictures of lecture 13: the numbers are true, the drawings show them."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.models.privacy import chance_exposure, epsilon, rank
from course_lib.show import memorisation as pictures
from course_lib.show.plots import unlabelled

N = 1009
COPIES = [0, 1, 4, 16]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def well_drawn(fig, description):
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 40


def lines_of(ax):
    """What was plotted, without the helper lines across."""
    return [np.asarray(line.get_ydata()) for line in ax.get_lines()]


def test_exposure_has_a_dot_for_each_run_and_a_line_through_the_mean():
    runs = {
        "all": np.array([[1.0, 3, 6, 10], [2.0, 4, 8, 9]]),
        "few": np.array([[0.5, 2.0, 1.0, 3.0]]),
    }
    fig, alt = pictures.draw_exposure(COPIES, runs, N)
    well_drawn(fig, alt)
    drawn = lines_of(fig.axes[0])
    for wanted in [runs["all"].mean(axis=0), *runs["all"], *runs["few"]]:
        assert any(np.array_equal(wanted, got) for got in drawn)
    levels = [got[0] for got in drawn if len(got) == 2 and got[0] == got[1]]
    assert levels == pytest.approx([math.log2(N), chance_exposure(N)])
    assert "all from 2 to 10" in alt
    assert fig.axes[0].get_legend() is not None


@pytest.mark.parametrize("code", [0, 7, N - 1])
def test_rank_picture_says_the_place_of_the_code(code):
    scores = np.random.default_rng(0).standard_normal(N)
    fig, alt = pictures.draw_rank(scores, 11, code, "red key, ")
    well_drawn(fig, alt)
    assert f"place {rank(scores, code):,.0f}" in alt
    assert f"planted code is at place {rank(scores, 11):,.0f}" in alt
    title = fig.axes[0].get_title(loc="left")
    assert title.startswith(f"red key, code {code:04d}")
    counted = sum(bar.get_height() for bar in fig.axes[0].patches)
    assert counted == N
    at = [line.get_xdata()[0] for line in fig.axes[0].get_lines()]
    assert at == pytest.approx([scores[11] / math.log(10), scores[code] / math.log(10)])


def test_progress_shows_both_curves():
    steps, ppl = [0, 10, 20], [96.0, 30.0, 12.0]
    fig, alt = pictures.draw_progress(steps, ppl, {32: [1, 5, 9], 1: [1, 2, 1]}, N)
    well_drawn(fig, alt)
    assert np.array_equal(lines_of(fig.axes[0])[0], ppl)
    assert np.array_equal(lines_of(fig.axes[1])[0], [1, 5, 9])
    assert "from 96 to 12" in alt
    assert "32 copies 9, 1 copy 1" in alt


@pytest.mark.parametrize("sigma", [0.7, 1.0, 3.0])
def test_the_best_attacker_is_the_one_of_a_threshold(sigma):
    """Simulated: draw both cases, slide a threshold, count."""
    rng = np.random.default_rng(0)
    without = rng.normal(0, sigma, 200_000)
    with_it = rng.normal(1, sigma, 200_000)
    for cut in (-1.0, 0.5, 2.0):
        alarms, hits = (without > cut).mean(), (with_it > cut).mean()
        curve = pictures.attacker_curve(sigma, np.array([alarms]))
        assert curve[0] == pytest.approx(hits, abs=0.01)


def test_the_limit_lies_above_the_attacker_and_touches_it_if_delta_is_exact():
    sigma, eps = 1.0, 1.0
    z = np.linspace(-20, 21, 200_001)
    bells = [np.exp(-((z - m) ** 2) / 2) / math.sqrt(2 * math.pi) for m in (0, 1)]
    delta = np.trapezoid(np.maximum(0, bells[1] - math.exp(eps) * bells[0]), z)
    alarms = np.linspace(1e-4, 1 - 1e-4, 9999)
    gap = pictures.attacker_limit(alarms, eps, delta)
    gap = gap - pictures.attacker_curve(sigma, alarms)
    assert gap.min() > -1e-6
    assert gap[alarms < 0.5].min() < 1e-4
    assert gap[alarms > 0.5].min() < 1e-4
    assert pictures.attacker_limit(np.array([0.3]), 0.0, 0.0)[0] == pytest.approx(0.3)


def test_attacker_picture_says_how_often_it_is_right():
    fig, alt = pictures.draw_attacker(1.0, 1.0, 0.127)
    well_drawn(fig, alt)
    assert "69% of the time" in alt  # Phi(1/2)


@pytest.mark.parametrize(("sigma", "batch", "steps"), [(0.5, 500, 2000), (8.0, 1, 1)])
def test_accountant_at_its_corners(sigma, batch, steps):
    fig, alt = pictures.draw_accountant(sigma, batch, steps)
    well_drawn(fig, alt)
    expected = epsilon(batch / pictures.RECORDS, sigma, steps, pictures.DELTA)
    curve, dot = lines_of(fig.axes[0])
    assert dot[0] == pytest.approx(expected)
    assert np.all(np.diff(curve) >= 0)
    assert f"epsilon is {expected:.2g}" in alt


def test_trade_names_the_run_without_noise_and_keeps_every_run():
    utility = np.array([[20.0, 15, 10], [21.0, 16, 11]])
    exposures = {1: utility / 10, 32: utility / 2}
    fig, alt = pictures.draw_trade([0.99, 44.7, math.inf], utility, exposures, 23.0, N)
    well_drawn(fig, alt)
    names = [tick.get_text() for tick in fig.axes[1].get_xticklabels()]
    assert names == ["1.0", "45", "no noise"]
    for ax, rows in [(fig.axes[0], utility), (fig.axes[1], exposures[32])]:
        for row in rows:
            assert any(np.array_equal(row, got) for got in lines_of(ax))
    assert "1.0: 20, 45: 16, no noise: 10" in alt
