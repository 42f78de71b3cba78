"""Pictures of lecture 13b: the numbers are true, the drawings show them."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.models.privacy import epsilon
from course_lib.show import private_training as pictures
from course_lib.show.plots import unlabelled

N = 1009


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def well_drawn(fig, description):
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 40


def lines_of(ax):
    """What was plotted."""
    return [np.asarray(line.get_ydata(), dtype=float) for line in ax.get_lines()]


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
    (ax,) = fig.axes
    curve, dot = lines_of(ax)
    assert ax.get_ylim()[0] < min(curve[0], dot[0])
    assert ax.get_ylim()[1] > max(curve[-1], dot[0])
    assert "0.0 passes" not in alt
    assert dot[0] == pytest.approx(expected)
    assert np.all(np.diff(curve) >= 0)
    assert f"epsilon is {expected:.2g}" in alt


def test_trade_keeps_every_run_and_says_the_means():
    utility = np.array([[20.0, 15, 10], [21.0, 16, 11]])
    exposures = {1: utility / 10, 32: utility / 2}
    names = ["ε = 1", "clipped,\nno noise", "ordinary"]
    fig, alt = pictures.draw_trade(names, utility, exposures, 23.0, N)
    well_drawn(fig, alt)
    for ax, rows in [(fig.axes[0], utility), (fig.axes[1], exposures[32])]:
        assert [tick.get_text() for tick in ax.get_xticklabels()] == names
        for column in rows.T:
            assert any(np.array_equal(column, got) for got in lines_of(ax))
    assert "ε = 1: 20.5, clipped, no noise: 15.5, ordinary: 10.5" in alt
    assert "32 copies from 10.2 to 5.2" in alt
