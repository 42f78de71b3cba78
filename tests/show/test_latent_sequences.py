"""Pictures of lecture 16b: the arrays are true, the drawings are labelled and quick."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from stopwatch import assert_quick

from course_lib.data import switching
from course_lib.models.latent import SequenceVAE, gaussian
from course_lib.show import latent_sequences as pictures
from course_lib.show.plots import unlabelled

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


def test_arches_stay_below_the_truth_and_touch_it_once():
    fig, alt = pictures.draw_arches(1.5)
    assert complete(fig)
    assert "-1.83" in alt
    truth = -0.5 * np.log(4 * np.pi) - 1.5**2 / 4
    arches = [line.get_ydata() for line in fig.axes[0].lines[1:4]]
    assert max(arch.max() for arch in arches) <= truth + 1e-12
    touching = pictures.tiny_bound(1.5, np.array([0.75]), 0.5)
    assert touching == pytest.approx(truth)


def test_posteriors_have_an_arrow_for_all_they_see():
    fig, _ = pictures.draw_posteriors()
    arrows = [
        len([p for p in ax.patches if type(p).__name__ == "FancyArrowPatch"])
        for ax in fig.axes
    ]
    assert arrows == [3, 4, 5, 6]


def test_gaps_are_logarithmic_and_an_exact_one_is_written():
    fig, alt = pictures.draw_gaps({"far": 372.0, "near": 21.0, "none": 0.0}, [0, 0, 1])
    assert complete(fig)
    assert fig.axes[0].get_xscale() == "log"
    assert [t.get_text() for t in fig.axes[0].texts] == ["372", "21", "0: exact"]
    assert "far 372, near 21, none 0" in alt


def test_scans_mark_the_highest_point_of_every_curve():
    values = np.array([0.1, 0.2, 0.3])
    curves = {"exact": np.array([1.0, 3.0, 2.0]), "bound": np.array([0.0, 1.0, 2.0])}
    scans = {"turn": (values, curves), "gusts": (values, curves)}
    fig, alt = pictures.draw_scans(scans)
    assert complete(fig)
    assert "exact is highest at turn 0.20; bound is highest at turn 0.30" in alt


def test_the_drawn_sigma_is_the_one_of_the_models():
    fig, _ = pictures.draw_sigma()
    assert complete(fig)
    raw, drawn = fig.axes[0].lines[1].get_xydata().T
    pair = torch.stack([torch.zeros(len(raw)), torch.tensor(raw)], dim=-1)
    assert drawn == pytest.approx(gaussian(pair)[1][..., 0].numpy(), abs=1e-6)


def test_sweep_and_bounds_show_every_network(sweep):
    fig, alt = pictures.draw_sweep(BETAS, sweep.rec, sweep.kl, sweep.exact)
    assert complete(fig)
    assert "highest at beta = 0.25" in alt or "highest at beta = 1" in alt
    rows = {"a": [-14.0, -15.0], "b": [-13.0, -13.5]}
    fig, alt = pictures.draw_bounds(rows, -12.0)
    assert complete(fig)
    assert "from low to high: a, then b" in alt
    points = sum(len(line.get_xdata()) for line in fig.axes[0].lines[:2])
    assert points == 4


def test_waves_and_futures_are_drawn():
    rng = np.random.default_rng(0)
    panels = {"true": rng.normal(size=(5, 12)), "made": rng.normal(size=(3, 12))}
    fig, alt = pictures.draw_waves(panels)
    assert complete(fig)
    assert alt == "Sequences over 12 steps, side by side: 5 true, 3 made."
    x, z, _ = switching.load(2, 7, seed=1)
    fig, alt = pictures.draw_futures(
        x[:, :3], z, z[:, 2], rng.normal(size=(2, 11, 4, 2))
    )
    assert complete(fig)
    assert "2 walkers: 3 steps seen, and 11 imagined" in alt
