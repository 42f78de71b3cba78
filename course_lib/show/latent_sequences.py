"""Pictures of lecture 16b: posteriors, walkers, and the walk through z."""

from collections.abc import Mapping, Sequence
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
    seed_rows,
)

HOME_COLOURS = (BLUE, ORANGE, GREEN)


def tiny_bound(x: float, m: np.ndarray, s: float) -> np.ndarray:
    """The bound on log p(x) for z ~ N(0, 1), x = z + N(0, 1) and q = N(m, s)."""
    reconstruction = -0.5 * np.log(2 * np.pi) - 0.5 * ((x - m) ** 2 + s)
    return reconstruction - 0.5 * (s + m**2 - 1 - np.log(s))


def draw_arches(x: float = 1.5) -> Picture:
    """The bound against the mean of q for three variances, under log p(x)."""
    log_p = -0.5 * np.log(4 * np.pi) - x**2 / 4
    m = np.linspace(-1, 2.5, 200)
    fig, ax = figure(9, 3.4)
    ax.axhline(log_p, color=GREEN, label=r"$\log p(x)$")
    for s, style in ((0.5, "-"), (0.1, "--"), (3.0, ":")):
        label = f"bound, q of variance {s:g}"
        ax.plot(m, tiny_bound(x, m, s), style, color=BLUE, label=label)
    ax.plot(x / 2, log_p, "o", color=ORANGE, ms=9, label="q = the posterior")
    ax.set(xlabel="mean of $q$", ylabel="nats", ylim=(-5, -1.5))
    fig.legend(loc="outside right center")
    alt = (
        f"The bound against the mean of q for three variances: arches below the line "
        f"log p(x) = {log_p:.2f}. Only the one with variance 0.5 touches it, at mean "
        f"{x / 2:.2f}, where q is the posterior."
    )
    return fig, alt


def draw_posteriors() -> Picture:
    """What q may look at when it draws z_3 of five: four panels."""
    fig, axes = figure(10, 4.6, rows=2, columns=2)
    for row, (name, reach) in enumerate((("filtering", 3), ("smoothing", 5))):
        for column, kind in enumerate(("independent steps", "chained steps")):
            ax = axes[row, column]
            ax.set(xlim=(-0.6, 5.0), ylim=(-0.45, 1.75))
            ax.set_axis_off()
            ax.set_title(f"{name}, {kind}", fontsize=12)
            _draw_posterior(ax, reach, chained=column == 1)
    alt = (
        "Four panels with states z_1 to z_5 above observations x_1 to x_5, and arrows "
        "to z_3. Filtering: from x_1 to x_3. Smoothing: from all five. Chained steps: "
        "also from z_2, the draw before."
    )
    return fig, alt


def _draw_posterior(ax: Axes, reach: int, chained: bool) -> None:
    for n in range(5):
        box(
            ax,
            1.1 * n,
            1.4,
            f"$z_{n + 1}$",
            BLUE,
            filled=n == 2 or (chained and n == 1),
        )
        box(ax, 1.1 * n, 0.0, f"$x_{n + 1}$", GREEN, filled=n < reach)
        if n < reach:
            arrow(ax, (1.1 * n, 0.22), (2.2 + 0.12 * (n - 2), 1.16), GREEN)
    if chained:
        arrow(ax, (1.42, 1.4), (1.86, 1.4), BLUE)


def draw_gaps(gaps: Mapping[str, float], looks_ahead: Sequence[bool]) -> Picture:
    """The gaps on a logarithmic axis; one that is 0 is written, not drawn."""
    fig, ax = figure(9, 3.2)
    ax.set_xscale("log")
    for row, (gap, ahead) in enumerate(zip(gaps.values(), looks_ahead, strict=True)):
        colour = BLUE if ahead else ORANGE
        if gap < 1e-6:
            ax.text(1.15, row, "0: exact", va="center", color=colour)
            continue
        ax.plot([1, gap], [row, row], color=colour, lw=2)
        ax.plot(gap, row, "o", color=colour, ms=9)
        ax.text(1.15 * gap, row, f"{gap:.0f}", va="center", color=INK)
    ax.set_yticks(range(len(gaps)), list(gaps))
    ax.set(xlim=(1, 900), ylim=(len(gaps) - 0.5, -0.5), ylabel="posterior $q$")
    ax.set_xlabel("gap to the exact log-likelihood (nats, logarithmic)")
    ax.plot([], [], "o", color=ORANGE, label="sees the past")
    ax.plot([], [], "o", color=BLUE, label="sees all of $x$")
    fig.legend(loc="outside upper right", ncols=2, fontsize=11)
    said = ", ".join(f"{name} {gap:.0f}" for name, gap in gaps.items())
    return fig, f"Gaps of {len(gaps)} choices of q on the swing, in nats: {said}."


def draw_scans(
    scans: Mapping[str, tuple[np.ndarray, Mapping[str, np.ndarray]]],
) -> Picture:
    """A panel for each parameter: curves over its values, their highest points marked.

    scans  name of the parameter -> (values, {name of a curve: heights})
    """
    fig, axes = figure(10, 3.6, columns=len(scans))
    said = []
    for ax, (parameter, (values, curves)) in zip(axes, scans.items(), strict=True):
        for colour, (name, heights) in zip(
            (GREEN, BLUE, ORANGE), curves.items(), strict=False
        ):
            best = int(np.argmax(heights))
            ax.plot(values, heights, color=colour, label=name)
            ax.plot(values[best], heights[best], "o", color=colour, ms=9)
            said.append(f"{name} is highest at {parameter} {values[best]:.2f}")
        ax.set(xlabel=parameter, ylabel="nats")
    handles, labels = axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=11)
    return fig, f"Curves over a parameter of the model: {'; '.join(said)}."


def draw_sigma() -> Picture:
    """How a network's output becomes a logarithm of sigma that stays in bounds."""
    raw = np.linspace(-12, 12, 300)
    fig, ax = figure(7, 2.8)
    ax.plot(raw, raw - 1.5, ":", color=GREY, label="raw − 1.5")
    ax.plot(raw, -1.5 + 3.5 * np.tanh(raw / 3.5), color=BLUE, label="log sigma")
    for limit in (-5, 2):
        ax.axhline(limit, color=ORANGE, lw=1)
    ax.set(xlabel="raw output of the network", ylabel=r"$\log\sigma$", ylim=(-7, 4))
    fig.legend(loc="outside right center")
    alt = (
        "log sigma against the raw output: a straight line of slope one near 0, where "
        "it is -1.5, that bends and stays between -5 and 2."
    )
    return fig, alt


def draw_sweep(
    betas: Sequence[float], rec: np.ndarray, kl: np.ndarray, exact: float
) -> Picture:
    """Left the two parts, right bound and objective, a point for every network.

    rec, kl (betas, seeds)
    """
    fig, (left, right) = figure(10.5, 4.0, columns=2)
    bound, objective = rec - kl, rec - np.asarray(betas)[:, None] * kl
    right.axhline(exact, color=GREEN, label=r"exact mean $\log p(x)$")
    for ax, values, colour, name in (
        (left, rec, PURPLE, "reconstruction"),
        (left, kl, ORANGE, "KL to the prior"),
        (right, bound, BLUE, r"bound (with $\beta = 1$)"),
        (right, objective, GREY, "objective trained"),
    ):
        ax.semilogx(betas, values, "o", color=colour, alpha=0.5)
        ax.semilogx(betas, values.mean(axis=1), color=colour, label=name)
    for ax, title in ((left, "the two parts"), (right, "bound and objective")):
        ax.set(xlabel=r"$\beta$ (logarithmic)", ylabel="nats", title=title)
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize=10)
    best = betas[int(bound.mean(axis=1).argmax())]
    alt = (
        "Left: reconstruction and KL fall as beta grows, the KL to zero. Right: the "
        f"bound is highest at beta = {best:g}, below the exact value; the objective "
        "that was trained exceeds the exact value for small beta."
    )
    return fig, alt


def rows_of(made: Mapping[str, np.ndarray]) -> int:
    """How many steps the sequences have."""
    return next(iter(made.values())).shape[1]


def draw_waves(made: Mapping[str, np.ndarray]) -> Picture:
    """A panel for each name with its sequences, (count, T)."""
    fig, axes = figure(10.5, 2.9, columns=len(made))
    for ax, (name, rows) in zip(axes, made.items(), strict=True):
        ax.plot(np.arange(1, rows.shape[1] + 1), rows.T, color=BLUE, lw=1.2)
        ax.set(xlabel="time step $t$", ylabel="$x_t$", ylim=(-4, 4))
        ax.set_xticks([2, 4, 6, 8, 10, 12])
        ax.set_title(name, fontsize=12)
    counts = ", ".join(f"{len(rows)} {name}" for name, rows in made.items())
    return fig, f"Sequences over {rows_of(made)} steps, side by side: {counts}."


def draw_bounds(rows: Mapping[str, Sequence[float]], exact: float) -> Picture:
    """A row for each way to say q, a point for each network, a line for the truth."""
    fig, ax = figure(9, 3.2)
    seed_rows(ax, rows, (ORANGE, BLUE, ORANGE, BLUE, PURPLE))
    ax.axvline(exact, color=GREEN, label="exact, true source")
    ax.set(xlabel="bound on the mean log-likelihood (nats)", ylabel="posterior $q$")
    fig.legend(loc="outside upper right")
    order = sorted(rows, key=lambda name: float(np.mean(rows[name])))
    said = ", then ".join(order)
    return fig, f"Bounds of one frozen model from low to high: {said}, then the truth."


def draw_futures(
    seen: np.ndarray, path: np.ndarray, start: np.ndarray, futures: np.ndarray
) -> Picture:
    """What was seen of some walkers, and what the model imagines after it.

    seen (n, s, 2), path (n, T, 2), start (n, 2), futures (n, draws, T - s, 2)
    """
    fig, axes = figure(10.5, 3.8, columns=len(seen))
    known = seen.shape[1]
    for n, ax in enumerate(np.atleast_1d(axes)):
        for future in futures[n]:
            whole = np.concatenate([start[n][None], future])
            ax.plot(*whole.T, color=PURPLE, alpha=0.35, lw=1.2)
        ax.plot(*seen[n].T, "o-", color=GREEN, label="seen")
        ax.plot(*path[n, known - 1 :].T, color=INK, label="true path")
        ax.scatter(*HOMES.T, marker="s", s=90, color=GREY, label="homes")
        ax.set(xlim=(-2.6, 2.6), ylim=(-2.2, 2.8), xlabel="east", ylabel="north")
    last = np.atleast_1d(axes)[-1]
    last.plot([], [], color=PURPLE, label="imagined")
    fig.legend(*last.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    alt = (
        f"{len(seen)} walkers: {known} steps seen, and {futures.shape[1]} imagined "
        "continuations of each that fan out among the homes, beside the true path."
    )
    return fig, alt


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
