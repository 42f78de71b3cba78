"""Pictures of lecture 03b: norms of powers and of products of many matrices."""

from collections.abc import Mapping

import numpy as np

from course_lib.show.plots import BLUE, GREEN, INK, ORANGE, Picture, figure

BESIDE = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}  # a legend, outside


def draw_two_numbers(norms: np.ndarray, sigma: float, rho: float) -> Picture:
    """Norms of W^k, k = 0, 1, ..., between what sigma_max and what rho promise."""
    k = np.arange(len(norms))
    fig, ax = figure(8, 3.4)
    ax.semilogy(k, sigma**k, "--", color=ORANGE, label=r"$\sigma_{\max}^k$")
    ax.semilogy(k, norms, "o-", color=BLUE, ms=3, label=r"$\Vert W^k\Vert$")
    ax.semilogy(k, rho**k, ":", color=GREEN, label=r"$\rho^k$")
    ax.set(xlabel="power $k$", ylabel="size", ylim=(1e-12, 1e12))
    ax.legend(**BESIDE)
    return fig, (
        "Norm of the powers of a two by two matrix, log scale: it jumps to 10 at once, "
        "then falls along a line parallel to the dotted powers of the spectral radius, "
        "while the dashed powers of the largest singular value leave the picture."
    )


def draw_families(drawn: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> Picture:
    """Spectral radius against largest singular value, one marker for each family."""
    fig, ax = figure(7.5, 3.8)
    styles = zip((GREEN, ORANGE, BLUE), "so^", strict=True)
    for (name, (rho, sigma)), (colour, marker) in zip(
        drawn.items(), styles, strict=True
    ):
        ax.plot(rho, sigma, marker, color=colour, alpha=0.7, ms=5, label=name)
    ax.axline((0, 0), slope=1, color=INK, linestyle=":")
    ax.set(xlabel=r"spectral radius $\rho$")
    ax.set(ylabel=r"largest singular value $\sigma_{\max}$")
    ax.legend(**BESIDE)
    return fig, (
        "Spectral radius against largest singular value of random matrices: symmetric "
        "ones lie on the diagonal, Gaussian and triangular ones above it."
    )


def draw_products(logs: Mapping[bool, Mapping[float, np.ndarray]]) -> Picture:
    """Histograms of log10 norms: independent factors (False) beside a shared one."""
    fig, axes = figure(10, 3.4, columns=2)
    bins = np.arange(-21, 18, 0.5)
    for ax, (shared, by_gain) in zip(axes, logs.items(), strict=True):
        for (gain, values), colour in zip(
            by_gain.items(), (BLUE, GREEN, ORANGE), strict=True
        ):
            ax.hist(values, bins, color=colour, alpha=0.8, label=f"$g = {gain}$")
        ax.set(xlabel=r"$\log_{10}$ of the norm", ylabel="number of products")
        title = "one shared matrix" if shared else "independent matrices"
        ax.set(xlim=(bins[0], bins[-1]), title=title)
    fig.legend(
        *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3
    )
    return fig, (
        "Histograms of the log norm of products of 50 matrices. With independent "
        "matrices as with one shared one, gain 0.5 lies far to the left and gain 1.5 "
        "far to the right; sharing makes each of them wider."
    )


def draw_coin(logs: np.ndarray, expected: float) -> Picture:
    """Log10 of products of random factors, with what their geometric mean promises."""
    step = np.log10(1.6 / 0.5)  # from one possible product to the next: a bar for each
    bars = np.arange(logs.min() - step / 2, logs.max() + step, step)
    fig, ax = figure(8, 3)
    ax.hist(logs, bars, color=BLUE)
    ax.axvline(0, color=INK, linestyle=":", label="product 1")
    ax.axvline(expected, color=ORANGE, label="geometric mean")
    ax.legend(loc="upper left")
    ax.set(xlabel=r"$\log_{10}$ of the product of 200 factors")
    ax.set(ylabel="number of products")
    return fig, (
        "Log products of 200 random factors 0.5 or 1.6: a bell around minus 10, as the "
        "geometric mean says; almost all lie left of the dotted line at 1."
    )
