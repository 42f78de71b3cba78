"""Pictures of lecture 03: how far a gradient reaches, a cliff, contests, letters."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_lib.models.gradient_curve import (
    EXPLODED,
    LAGS,
    VANISHED,
    GradientCurve,
    gradient_curve,
    verdict,
)
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    Picture,
    figure,
)

FLOOR = 1e-300  # a norm of exactly zero has no place on a log axis
BESIDE = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}  # a legend, outside


def plot_gradient_curve(ax: Axes, curve: GradientCurve) -> None:
    """The middle and the range of the true norms, below the bound, on a log axis."""
    norms = np.maximum(curve.norms, FLOOR)
    lags, middle = curve.lags, np.median(norms, axis=0)
    ax.plot(lags, curve.bound, "--", color=GREY, label="upper bound")
    free = r"$\rho^k$ (no squashing)"
    ax.plot(lags, float(curve.radius) ** lags, ":", color=GREEN, label=free)
    ax.fill_between(lags, norms.min(axis=0), norms.max(axis=0), color=ORANGE, alpha=0.3)
    ax.plot(lags, middle, color=ORANGE, label="true norm")
    ax.axhspan(VANISHED, EXPLODED, color=BLUE, alpha=0.1, label="1/100 to 100", lw=0)
    ax.set(yscale="log", ylim=(1e-12, 1e12), xlim=(0, lags[-1]))
    ax.set(
        xlabel="lag $k$ (steps back)", ylabel=r"norm of $\partial h_T/\partial h_{T-k}$"
    )


def draw_regimes(curves: Sequence[GradientCurve]) -> Picture:
    """A panel for each network; the band is what counts as keeping its size."""
    fig, axes = figure(10.5, 3.8, columns=len(curves))
    for ax, curve in zip(axes, curves, strict=True):
        plot_gradient_curve(ax, curve)
        ax.set_title(rf"$\rho = {curve.radius:g}$: {verdict(curve)}", fontsize=12)
    fig.legend(
        *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4
    )
    fates = "; ".join(f"radius {c.radius:g}: {verdict(c)}" for c in curves)
    return fig, (
        "Norm of the Jacobian product against the lag, log scale, for random tanh "
        f"networks of 24 units. {fates}. The norm always stays below its bound."
    )


def draw_gradient_curve(
    radius: float, activation: str = "tanh", drive: float = 0.5
) -> Picture:
    """The interactive picture: (figure, description)."""
    curve = gradient_curve(radius, activation, drive)
    fig, ax = figure(8.5, 3.8)
    plot_gradient_curve(ax, curve)
    sigma = curve.largest_singular_value
    ax.set_title(
        rf"{activation}, $\rho = {radius:.2f}$, $\sigma_{{\max}} = {sigma:.2f}$, "
        f"inputs {drive:.1f}: the gradient {verdict(curve)}",
        fontsize=12,
    )
    fig.legend(loc="outside lower center", ncols=4)
    alt = (
        f"Norm of the Jacobian product against lag on a log scale, {activation}, "
        f"spectral radius {radius:.2f}, inputs of size {drive:.1f}: over {LAGS} steps "
        f"the gradient {verdict(curve)}; it stays below the bound throughout."
    )
    return fig, alt


def draw_one_number(sizes: Mapping[str, np.ndarray], alt: str) -> Picture:
    """Sizes of a gradient against the lag, log scale, one line for each name."""
    fig, ax = figure(8, 3.2)
    styles = zip((PURPLE, ORANGE, GREEN, BLUE), ("-", "--", "-", "-"), strict=True)
    for (name, values), (colour, style) in zip(sizes.items(), styles, strict=False):
        ax.semilogy(values, style, color=colour, label=name)
    ax.set(xlabel="lag $T$ (steps back)", ylabel=r"$|\partial h_T / \partial h_0|$")
    ax.set_xticks(range(0, 21, 5))
    ax.legend(**BESIDE)
    return fig, alt


def draw_slopes() -> Picture:
    """tanh and sigmoid beside their slopes."""
    a = np.linspace(-5, 5, 201)
    sigmoid = 0.5 * (1 + np.tanh(a / 2))
    pairs = {"tanh": (np.tanh(a), 1 - np.tanh(a) ** 2)}
    pairs["sigmoid"] = (sigmoid, sigmoid * (1 - sigmoid))
    fig, axes = figure(9, 2.8, columns=2)
    for ax, (name, (value, slope)) in zip(axes, pairs.items(), strict=True):
        ax.plot(a, value, color=BLUE, label=name)
        ax.plot(a, slope, color=ORANGE, label="its slope")
        ax.axhline(slope.max(), color=GREY, linestyle=":")
        ax.set(xlabel="pre-activation $a$", ylabel="value", ylim=(-1.1, 1.1))
        ax.legend(loc="lower right")
    return fig, (
        "Tanh and sigmoid with their slopes. The slope of tanh reaches 1 at zero, that "
        "of the sigmoid only a quarter; both fall to almost nothing beyond 4 or -4."
    )


def draw_powers(powers: Mapping[float, np.ndarray]) -> Picture:
    """Norms of W^k, k = 0, 1, ..., for matrices of these spectral radii."""
    fig, ax = figure(8, 3.4)
    for (rho, norms), colour in zip(powers.items(), (ORANGE, GREEN, BLUE), strict=True):
        k = np.arange(len(norms))
        ax.semilogy(k, norms, color=colour, label=rf"$\rho = {rho}$")
        ax.semilogy(k, rho**k, ":", color=colour)
    ax.set(xlabel="power $k$", ylabel=r"$\Vert W^k \Vert$")
    ax.legend(title=r"dotted: $\rho^k$", **BESIDE)
    radii = ", ".join(str(rho) for rho in powers)
    return fig, (
        f"Norms of the powers of one matrix scaled to spectral radius {radii}: after a "
        "first rise that they share they follow the dotted lines up, level and down."
    )


def draw_shares(shares: Mapping[str, np.ndarray]) -> Picture:
    """Percent of a gradient by lag: mean of networks (networks, lags), as bars."""
    fig, axes = figure(10, 3.0, columns=len(shares))
    for ax, (name, values) in zip(axes, shares.items(), strict=True):
        ax.bar(range(values.shape[1]), values.mean(axis=0), color=ORANGE)
        ax.set(xlabel="lag (steps back)", ylabel="share of the gradient (%)")
        ax.set_title(name)
    return fig, (
        "Share of the gradient by lag over 40 steps, mean of the networks. Uniform "
        "start: nearly everything comes from the last ten steps. Orthogonal start: all "
        "lags take part, small ones more."
    )


def draw_near_far(learned: Mapping[str, np.ndarray]) -> Picture:
    """Losses (steps, 2, networks) of two questions, near and far, for each start."""
    fig, axes = figure(10, 3.2, columns=len(learned))
    told = []
    for ax, (start, losses) in zip(np.atleast_1d(axes), learned.items(), strict=True):
        for name, each, colour in (
            ("near (last letter)", losses[:, 0], BLUE),
            ("far (first letter)", losses[:, 1], ORANGE),
        ):
            low, high = each.min(axis=1), each.max(axis=1)
            ax.fill_between(range(len(each)), low, high, color=colour, alpha=0.3)
            ax.plot(each.mean(axis=1), color=colour, label=name)
        ax.axhline(np.log(4), color=INK, linestyle=":", label="guessing")
        ax.set(xlabel="training step", ylabel="loss", ylim=(0, 1.8))
        ax.set_title(f"{start} start")
        (near, far), (near_end, far_end) = losses[[0, -1]].mean(axis=2)
        told.append(
            f"{start} start: near from {near:.1f} to {near_end:.1f}, "
            f"far from {far:.1f} to {far_end:.1f}"
        )
    fig.legend(
        *np.atleast_1d(axes)[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=3,
    )
    networks = next(iter(learned.values())).shape[2]
    return fig, (
        f"Training losses for two questions, mean and range of {networks} networks, "
        f"beside the level of guessing, 1.4. {'; '.join(told)}."
    )


def plot_runs(
    ax: Axes,
    places: Sequence[float],
    runs: np.ndarray,
    colour: str,
    label: str,
    shift: float = 1.0,
) -> None:
    """One dot for each network, a line through the means.  runs (places, networks)

    The x axis is logarithmic with a tick at each place; `shift` moves the dots sideways
    by a factor, so that two groups at the same place do not hide each other.
    """
    runs = np.asarray(runs)
    if runs.ndim != 2 or len(runs) != len(places):
        raise ValueError(f"runs has shape {runs.shape}; expected ({len(places)}, n)")
    moved = shift * np.asarray(places, dtype=float)
    spread = np.geomspace(0.975, 1.025, runs.shape[1])  # equal values stay visible
    ax.plot(moved, runs.mean(axis=1), color=colour, label=label)
    for place, values in zip(moved, runs, strict=True):
        ax.plot(place * spread, np.sort(values), "o", color=colour, ms=4, alpha=0.5)
    ax.set_xscale("log")
    ax.set_xticks(places, [str(place) for place in places])
    ax.minorticks_off()


def draw_runs(
    places: Sequence[float], groups: Mapping[str, np.ndarray], xlabel: str, alt: str
) -> Picture:
    """Accuracy of every network, groups side by side, with the level of guessing."""
    fig, ax = figure(9, 3.4)
    count = len(groups)
    shifts = np.geomspace(0.92, 1.09, count) if count > 1 else [1.0]
    colours = (ORANGE, BLUE, GREEN, PURPLE)
    for (name, runs), colour, shift in zip(
        groups.items(), colours, shifts, strict=False
    ):
        plot_runs(ax, places, runs, colour, name, shift)
    ax.axhline(0.25, color=INK, linestyle=":", label="guessing")
    ax.set(xlabel=xlabel, ylabel="accuracy on new sequences", ylim=(0, 1.05))
    ax.legend(title="dots: networks, lines: means", **BESIDE)
    return fig, alt


def draw_cliff(loss: Callable, panels: Sequence[tuple]) -> Picture:
    """A loss surface over (b, w) in grey, light where the loss is low, with descents.

    loss    takes tensors w and b of shape (n,) and returns n losses;
    panels  (title, colour, points (n, 2) with columns w and b, window), where a window
            is (lowest b, highest b, lowest w, highest w).
    """
    fig, axes = figure(10.5, 3.8, columns=len(panels))
    shades = []
    for ax, (title, colour, points, window) in zip(
        np.atleast_1d(axes), panels, strict=True
    ):
        low_b, high_b, low_w, high_w = window
        b, w = torch.linspace(low_b, high_b, 240), torch.linspace(low_w, high_w, 240)
        w_grid, b_grid = torch.meshgrid(w, b, indexing="ij")
        distance = loss(w_grid.flatten(), b_grid.flatten()).sqrt().view(w_grid.shape)
        levels = np.linspace(0, 0.7, 15)
        shades.append(ax.contourf(b, w, distance, levels, cmap="Greys", extend="max"))
        ax.plot(points[:, 1], points[:, 0], "o-", color=colour, ms=3, lw=1.2)
        ax.plot(points[0, 1], points[0, 0], "s", color=INK, ms=8)
        ax.set(xlim=window[:2], ylim=window[2:], xlabel="bias $b$", ylabel="weight $w$")
        ax.set_title(title, fontsize=12)
    fig.colorbar(shades[-1], ax=axes, label=r"$\sqrt{L}$ = distance from the target")
    told = []
    for title, _, points, _ in panels:
        path = np.asarray(points)
        longest = np.linalg.norm(np.diff(path, axis=0), axis=1).max()
        end = f"end at w = {path[-1, 0]:.2f}, b = {path[-1, 1]:.2f}"
        told.append(f"{title}: longest step {longest:.2f}, {end}")
    alt = (
        "A loss surface over bias and weight with a sharp edge, dark on one side and "
        "light on the other, and the points that gradient descent visits from the same "
        f"start, a square. {'; '.join(told)}."
    )
    return fig, alt


def draw_shaded_letters(rows: Sequence[tuple[str, str, np.ndarray]]) -> Picture:
    """Letters on a background that is darker where the prediction is more sensitive.

    rows: (label, text, sizes (len(text),)); each row is scaled to its own largest size.
    """
    longest = max(len(text) for _, text, _ in rows)
    fig, ax = figure(10, 0.55 * len(rows) + 0.4)
    for row, (label, text, sizes) in enumerate(rows):
        sizes = np.asarray(sizes, dtype=float)
        if sizes.shape != (len(text),):
            raise ValueError(
                f"row {label!r}: {len(text)} letters but sizes of shape {sizes.shape}"
            )
        if not sizes.max() > 0:
            raise ValueError(f"row {label!r}: all sizes are zero: nothing to compare")
        for place, letter in enumerate(text):
            size = sizes[place] / sizes.max()
            square = Rectangle((place, -row - 0.4), 1, 0.8, color=ORANGE, alpha=size)
            ax.add_patch(square)
            ax.text(place + 0.5, -row, letter, ha="center", va="center", color=INK)
        ax.text(-0.4, -row, label, ha="right", va="center", color=BLUE)
    ax.set(xlim=(-0.27 * longest, longest), ylim=(-len(rows) + 0.4, 0.6))
    ax.set_axis_off()
    strongest = "; ".join(
        f"{label}: strongest at letter {int(np.argmax(sizes)) + 1} of {len(text)}"
        for label, text, sizes in rows
    )
    return fig, f"Letters shaded by the gradient of the prediction. {strongest}."
