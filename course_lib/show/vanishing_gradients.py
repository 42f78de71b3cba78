r"""Pictures of lecture 03: how far a gradient reaches, a cliff, and shaded letters.

`gradient_curve` runs a random recurrent network and measures the spectral norm of
$\partial h_T / \partial h_{T-k} = J_T J_{T-1} \cdots J_{T-k+1}$ for every lag k, with
$J_t = \operatorname{diag}(\phi'(a_t)) W_h$. The rest of the file draws.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_lib.show.plots import BLUE, GREEN, GREY, INK, ORANGE, Picture, figure

WIDTH, SEQUENCES, WARM_UP, LAGS = 24, 12, 20, 40
FLOOR = 1e-300  # a norm of exactly zero has no place on a log axis


@dataclass(frozen=True)
class Activation:
    """A squashing function, its slope, and the largest value the slope can take."""

    value: Callable
    slope: Callable
    largest_slope: float


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(a / 2))  # the same function; never overflows


ACTIVATIONS = {
    "tanh": Activation(np.tanh, lambda a: 1 - np.tanh(a) ** 2, 1.0),
    "ReLU": Activation(lambda a: np.maximum(a, 0), lambda a: (a > 0) * 1.0, 1.0),
    "sigmoid": Activation(_sigmoid, lambda a: _sigmoid(a) * (1 - _sigmoid(a)), 0.25),
    "identity": Activation(lambda a: a, np.ones_like, 1.0),
}


@dataclass(frozen=True)
class GradientCurve:
    """norms (sequences, lags + 1), their bound (lags + 1,), and what made them."""

    norms: np.ndarray
    bound: np.ndarray
    radius: float
    largest_singular_value: float
    activation: str

    @property
    def lags(self) -> np.ndarray:
        """0, 1, ..., the largest lag."""
        return np.arange(self.norms.shape[1])


def random_network(
    radius: float, drive: float, width: int = WIDTH, seed: int = 3
) -> tuple[np.ndarray, np.ndarray]:
    """W_h with the given spectral radius, and what enters: (sequences, time, width).

    W_h is Gaussian, then scaled. `drive` is the standard deviation of the inputs'
    contribution W_x x_t + b_h to each pre-activation, drawn afresh at every step.
    """
    if radius <= 0 or drive < 0:
        raise ValueError(
            f"radius must be positive and drive not negative, got {radius} and {drive}"
        )
    rng = np.random.default_rng(seed)
    W_h = rng.standard_normal((width, width))
    W_h *= radius / np.abs(np.linalg.eigvals(W_h)).max()
    entering = drive * rng.standard_normal((SEQUENCES, WARM_UP + LAGS, width))
    return W_h, entering


def gradient_curve(
    radius: float, activation: str = "tanh", drive: float = 0.5, seed: int = 3
) -> GradientCurve:
    r"""Norms of $\partial h_T / \partial h_{T-k}$ for k = 0, ..., LAGS, and the bound.

    The bound is $(\gamma\,\sigma_{\max})^k$ with the activation's largest slope
    $\gamma$ and the largest singular value of W_h.
    """
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation {activation!r} is not one of {[*ACTIVATIONS]}")
    phi = ACTIVATIONS[activation]
    W_h, entering = random_network(radius, drive, seed=seed)
    h = np.zeros((SEQUENCES, WIDTH))
    slopes = []
    for t in range(WARM_UP + LAGS):
        a = h @ W_h.T + entering[:, t]
        h = phi.value(a)
        slopes.append(phi.slope(a))
    product = np.broadcast_to(np.eye(WIDTH), (SEQUENCES, WIDTH, WIDTH))
    norms = [np.ones(SEQUENCES)]
    for slope in reversed(slopes[WARM_UP:]):
        product = product @ (
            slope[:, :, None] * W_h
        )  # one earlier factor, on the right
        norms.append(np.linalg.norm(product, 2, axis=(1, 2)))
    sigma = float(np.linalg.norm(W_h, 2))
    bound = (phi.largest_slope * sigma) ** np.arange(LAGS + 1)
    return GradientCurve(np.stack(norms, axis=1), bound, radius, sigma, activation)


def plot_gradient_curve(ax: Axes, curve: GradientCurve) -> None:
    """The middle and the range of the true norms, below the bound, on a log axis."""
    norms = np.maximum(curve.norms, FLOOR)
    lags, middle = curve.lags, np.median(norms, axis=0)
    ax.plot(lags, curve.bound, "--", color=GREY, label="upper bound")
    ax.plot(
        lags, curve.radius**lags, ":", color=GREEN, label=r"$\rho^k$ (no squashing)"
    )
    ax.fill_between(lags, norms.min(axis=0), norms.max(axis=0), color=ORANGE, alpha=0.3)
    ax.plot(lags, middle, color=ORANGE, label="true norm")
    ax.set(
        yscale="log",
        ylim=(1e-12, 1e12),
        xlim=(0, lags[-1]),
        xlabel="lag $k$ (steps back)",
        ylabel=r"norm of $\partial h_T / \partial h_{T-k}$",
    )


def verdict(curve: GradientCurve) -> str:
    """One word for the middle norm at the largest lag."""
    last = np.median(curve.norms[:, -1])
    if last < 1e-2:
        return "vanishes"
    return "explodes" if last > 1e2 else "keeps its size"


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
    fig.legend(loc="outside lower center", ncols=3)
    alt = (
        f"Norm of the Jacobian product against lag on a log scale, {activation}, "
        f"spectral radius {radius:.2f}, inputs of size {drive:.1f}: over {LAGS} steps "
        f"the gradient {verdict(curve)}; it stays below the bound throughout."
    )
    return fig, alt


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
    ax.plot(moved, runs.mean(axis=1), color=colour, label=label)
    ax.plot(moved, runs, "o", color=colour, ms=5, alpha=0.6)
    ax.set_xscale("log")
    ax.set_xticks(places, [str(place) for place in places])
    ax.minorticks_off()


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
    names = ", ".join(title for title, *_ in panels)
    alt = (
        "A loss surface with a sharp edge, dark on one side and light on the other, "
        f"and the points gradient descent visits from the same start: {names}."
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
