"""Pictures of lecture 16: the two families, bands, walkers, and the walk through z."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from matplotlib.axes import Axes

from course_lib.data.switching import HOMES
from course_lib.models.latent import SequenceVAE
from course_lib.show.boxes import arrow, box
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    YELLOW,
    Picture,
    figure,
)

HOME_COLOURS = (BLUE, ORANGE, GREEN)


def draw_two_families(steps: int = 3) -> Picture:
    """Left one z for the whole sequence, right one z_t for every step."""
    fig, axes = figure(10, 3.0, columns=2)
    for ax in axes:
        ax.set(xlim=(-0.6, 1.3 * steps - 0.7), ylim=(-0.5, 1.9))
        ax.set_axis_off()
    left, right = axes
    left.set_title("one latent for the whole sequence", fontsize=12)
    right.set_title("one latent for every step", fontsize=12)
    middle = 0.65 * (steps - 1)
    box(left, middle, 1.4, "$z$", BLUE)
    for n in range(steps):
        x = 1.3 * n
        for ax in axes:
            box(ax, x, 0, f"$x_{n + 1}$", GREEN)
        arrow(left, (middle + 0.25 * (x - middle), 1.16), (x, 0.24), BLUE)
        box(right, x, 1.4, f"$z_{n + 1}$", BLUE)
        arrow(right, (x, 1.16), (x, 0.24), BLUE)
        if n:
            arrow(left, (x - 0.97, 0), (x - 0.33, 0), GREY)
            arrow(right, (x - 0.97, 1.4), (x - 0.33, 1.4), BLUE)
    alt = (
        f"Two diagrams. Left: one z with an arrow to each of x_1 to x_{steps}, which "
        f"are also linked in a row. Right: z_1 to z_{steps} linked in a row, each with "
        "one arrow down to its own x."
    )
    return fig, alt


def band(
    ax: Axes,
    mean: np.ndarray | list[float],
    sigma: np.ndarray | list[float],
    colour: str,
    label: str,
    alpha: float = 0.25,
) -> None:
    """A line with two standard deviations to either side; time counts from 1."""
    mean, sigma = np.asarray(mean), np.asarray(sigma)
    if mean.shape != sigma.shape or mean.ndim != 1:
        raise ValueError(
            f"mean {mean.shape} and sigma {sigma.shape} must be equal and one axis long"
        )
    t = np.arange(1, len(mean) + 1)
    ax.fill_between(t, mean - 2 * sigma, mean + 2 * sigma, color=colour, alpha=alpha)
    ax.plot(t, mean, color=colour, label=label)


def draw_walkers(x: np.ndarray, z: np.ndarray, k: np.ndarray) -> Picture:
    """Paths coloured by the home in mind.  x, z (n, T, 2), k (n, T)"""
    fig, axes = figure(10.5, 3.6, columns=len(x))
    for ax, seen, path, home in zip(np.atleast_1d(axes), x, z, k, strict=True):
        whole = np.concatenate([[[0.0, 0.0]], path])
        for t in range(len(path)):
            ax.plot(*whole[t : t + 2].T, color=HOME_COLOURS[home[t]])
        ax.scatter(*seen.T, c=[HOME_COLOURS[n] for n in home], s=45, alpha=0.55)
        ax.scatter(*HOMES.T, marker="s", s=120, c=HOME_COLOURS, edgecolors=INK)
        ax.set(xlim=(-2.6, 2.6), ylim=(-2.0, 2.7), aspect="equal")
        ax.set(xlabel="east", ylabel="north")
    changes = [int((row[1:] != row[:-1]).sum()) for row in k]
    alt = (
        f"{len(x)} walkers among three homes drawn as squares. The true path is a line "
        "and what is seen are dots beside it, in the colour of the home in mind; the "
        f"mind changes {', '.join(map(str, changes))} times."
    )
    return fig, alt


def draw_beliefs(now: np.ndarray, later: np.ndarray, k: np.ndarray) -> Picture:
    """Chances of the three homes, known at the time and with hindsight, (T, 3) each."""
    fig, axes = figure(10, 3.2, columns=2)
    t = np.arange(1, len(k) + 1)
    for ax, beliefs, title in zip(
        axes, (now, later), ("at the time", "with hindsight"), strict=True
    ):
        below = np.zeros(len(k))
        for home in range(3):
            part = beliefs[:, home]
            ax.bar(t, part, 0.9, bottom=below, color=HOME_COLOURS[home])
            below = below + part
        truth = [HOME_COLOURS[n] for n in k]
        ax.scatter(t, np.full(len(k), 1.1), c=truth, s=60, clip_on=False)
        ax.set(xlabel="time step $t$", ylabel="probability", ylim=(0, 1.18), xticks=t)
        ax.set_title(f"{title} (dots: the truth)", fontsize=12)
    right = [float(b[np.arange(len(k)), k].min()) for b in (now, later)]
    alt = (
        "Bars of the probability of each home at each step. The lowest probability of "
        f"the true home is {right[0]:.2f} at the time, {right[1]:.2f} with hindsight."
    )
    return fig, alt


@dataclass(frozen=True)
class BetaSweep:
    """A pack of trained VAEs, `seeds` for every beta, and what was measured of them."""

    model: SequenceVAE
    betas: Sequence[float]
    rec: np.ndarray  # (betas, seeds): mean log p(x | z)
    kl: np.ndarray  # (betas, seeds): mean KL
    exact: float  # mean log p(x) of the source

    @property
    def seeds(self) -> int:
        return self.kl.shape[1]


def latent_walk(
    model: SequenceVAE, net: int, angle: float, points: int = 9, steps: int = 12
) -> np.ndarray:
    """Decoded means along a straight line through z = 0, (points, steps).

    The line runs from -2 to 2 in the direction `angle` (degrees) of the z plane.
    """
    turn = np.deg2rad(angle)
    along = np.linspace(-2, 2, points)[:, None] * [np.cos(turn), np.sin(turn)]
    nets = len(model.log_sigma_x)
    weight = model.log_sigma_x
    z = torch.as_tensor(along).to(weight).expand(nets, -1, -1)
    calm = weight.new_zeros(nets, points, steps, 1)
    return model.generate(z, calm)[net, :, :, 0].numpy()


def draw_beta_walk(sweep: BetaSweep, power: int, angle: float) -> Picture:
    """Left the curve of all betas, right the walk through z for beta = 4^power."""
    betas = list(sweep.betas)
    beta = 4.0**power
    if beta not in betas:
        raise ValueError(
            f"beta = 4^{power} = {beta} was not trained; there are {betas}"
        )
    row = betas.index(beta)
    fig, (left, right) = figure(10.5, 3.8, columns=2)
    left.plot(sweep.kl.mean(1), sweep.rec.mean(1), color=GREY)
    left.plot(sweep.kl, sweep.rec, "o", color=PURPLE, alpha=0.5)
    left.plot(sweep.kl[row], sweep.rec[row], "o", color=YELLOW, ms=13, mec=INK)
    reach = np.array([0, 1.05 * sweep.kl.max()])
    left.plot(reach, sweep.exact + reach, ":", color=GREEN)
    left.set(xlabel="KL (nats)", ylabel=r"mean $\log p(x|z)$ (nats)")
    bound = float((sweep.rec - sweep.kl)[row].mean())
    left.set_title(rf"$\beta$ = {beta:g}: bound {bound:.1f}", fontsize=12)
    walk = latent_walk(sweep.model, row * sweep.seeds, angle)
    shades = np.linspace(0.25, 1, len(walk))
    for path, shade in zip(walk, shades, strict=True):
        right.plot(np.arange(1, walk.shape[1] + 1), path, color=BLUE, alpha=shade)
    right.set(xlabel="time step $t$", ylabel="decoded $x_t$", ylim=(-3, 3))
    right.set_title(f"nine steps through $z$, at {angle:.0f} degrees", fontsize=12)
    spread = float(np.abs(walk[-1] - walk[0]).max())
    alt = (
        f"Left: reconstruction against KL for {len(betas)} betas, below a dotted line "
        f"of slope one where the bound would be exact; beta = {beta:g} is marked at KL "
        f"{sweep.kl[row].mean():.1f}. Right: decoded waves along a line in z; the two "
        f"ends differ by up to {spread:.1f}."
    )
    return fig, alt
