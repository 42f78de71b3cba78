"""Pictures of lecture 16: the arrays are true, the drawings are labelled and quick."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from stopwatch import assert_quick

from course_lib.data import switching
from course_lib.models.latent import SequenceVAE
from course_lib.show import state_spaces as pictures
from course_lib.show.plots import figure, unlabelled

BETAS = [4.0**k for k in range(-1, 2)]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def complete(fig) -> bool:
    """Every visible axis has its label."""
    fig.canvas.draw()
    return unlabelled(fig) == []


@pytest.fixture
def sweep():
    generator = torch.Generator().manual_seed(0)
    vae = SequenceVAE(6, d_x=1, d_z=2, d_h=5, generator=generator)
    kl = np.array([[5.0, 4.0], [2.0, 2.2], [0.1, 0.0]])
    return pictures.BetaSweep(vae, BETAS, rec=kl - 8, kl=kl, exact=-6.5)


def test_walk_decodes_the_points_of_a_line(sweep):
    walk = pictures.latent_walk(sweep.model, net=3, angle=90, points=5, steps=7)
    assert walk.shape == (5, 7)
    z = torch.zeros(6, 1, 2)
    z[:, 0, 1] = -2  # 90 degrees: along the second coordinate, from -2
    alone = sweep.model.generate(z, torch.zeros(6, 1, 7, 1))[3, 0, :, 0]
    assert walk[0] == pytest.approx(alone.numpy(), abs=1e-6)
    turned = pictures.latent_walk(sweep.model, net=3, angle=270, points=5, steps=7)
    assert walk == pytest.approx(turned[::-1], abs=1e-6)
    other = pictures.latent_walk(sweep.model, net=2, angle=90, points=5, steps=7)
    assert np.abs(walk - other).max() > 1e-3


@pytest.mark.parametrize("power", [-1, 0, 1])
@pytest.mark.parametrize("angle", [0, 360])
def test_every_corner_of_the_sliders_draws(sweep, power, angle):
    fig, alt = pictures.draw_beta_walk(sweep, power, angle)
    assert complete(fig)
    assert f"beta = {4.0**power:g} is marked at KL" in alt
    marked = fig.axes[0].lines[-2].get_xydata()
    row = BETAS.index(4.0**power)
    expected = np.stack([sweep.kl[row], sweep.rec[row]], axis=1)
    assert marked == pytest.approx(expected)


def test_the_dotted_line_is_where_the_bound_would_be_exact(sweep):
    fig, _ = pictures.draw_beta_walk(sweep, 0, 30)
    x, y = fig.axes[0].lines[-1].get_xydata().T
    assert y - x == pytest.approx(sweep.exact)


def test_a_beta_that_was_not_trained_is_refused(sweep):
    with pytest.raises(ValueError, match=r"4\^3 = 64"):
        pictures.draw_beta_walk(sweep, 3, 0)


def test_a_step_of_the_slider_is_quick(sweep):
    assert_quick(lambda: pictures.draw_beta_walk(sweep, 1, 45))


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


def test_walkers_and_beliefs_are_drawn_with_what_they_show():
    x, z, k = switching.load(3, 5, seed=2)
    fig, alt = pictures.draw_walkers(x, z, k)
    assert complete(fig)
    changes = [int((row[1:] != row[:-1]).sum()) for row in k]
    assert f"changes {', '.join(map(str, changes))} times" in alt
    later = switching.home_beliefs(x)[0]
    fig, alt = pictures.draw_beliefs(later, later, k[0])
    assert complete(fig)
    lowest = later[np.arange(5), k[0]].min()
    assert f"is {lowest:.2f} at the time" in alt
    heights = [bar.get_height() for bar in fig.axes[0].patches]
    assert sum(heights) == pytest.approx(5)
