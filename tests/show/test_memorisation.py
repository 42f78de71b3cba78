"""Pictures of lecture 13: the numbers are true, the drawings show them."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib.models.privacy import chance_exposure, rank
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
    """What was plotted."""
    return [np.asarray(line.get_ydata(), dtype=float) for line in ax.get_lines()]


def drawn(ax, wanted):
    return any(np.array_equal(wanted, got) for got in lines_of(ax))


def test_exposure_has_a_dot_for_each_secret_and_a_bar_at_the_mean():
    runs = {
        "all": np.array([[1.0, 3, 6, 10], [2.0, 4, 8, 9]]),
        "few": np.array([[0.5, 2.0, 1.0, 3.0]]),
    }
    fig, alt = pictures.draw_exposure(COPIES, runs, N)
    well_drawn(fig, alt)
    (ax,) = fig.axes
    for values in runs.values():
        for column in values.T:
            assert drawn(ax, column)
            assert drawn(ax, [column.mean()] * 2)
    for level in (math.log2(N), chance_exposure(N)):
        assert drawn(ax, [level] * 2)
    assert "all from 1.5 to 9.5; few from 0.5 to 3.0 bits" in alt
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert {"all", "few", "first of all codes"} <= set(names)


def test_the_shaded_part_holds_99_of_100_secrets_that_were_never_seen():
    ranks = np.arange(1, 10_001)
    inside = math.log2(10_000) - np.log2(ranks) <= -math.log2(pictures.LUCK)
    assert inside.mean() == pytest.approx(0.99, abs=1e-3)


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


def test_progress_shows_every_run_and_the_mean():
    steps, ppl = [0, 10, 20], np.array([[96.0, 30.0, 12.0], [98.0, 34.0, 14.0]])
    many, one = np.array([[1.0, 5, 9], [3, 5, 11]]), np.array([[1.0, 2, 1], [0, 1, 2]])
    fig, alt = pictures.draw_progress(steps, ppl, {32: many, 1: one}, N)
    well_drawn(fig, alt)
    for ax, values in ((fig.axes[0], ppl), (fig.axes[1], many), (fig.axes[1], one)):
        for row in (*values, values.mean(axis=0)):
            assert drawn(ax, row)
    assert "2 runs" in alt
    assert "from 97 to 13.0" in alt
    assert "32 copies 10.0, 1 copy 1.5" in alt
