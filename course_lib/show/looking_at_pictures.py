"""Pictures of lecture 08b: where a writer of captions looked, and moving windows."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.show.plots import (
    GREY,
    ORANGE,
    SEQUENTIAL,
    YELLOW,
    Picture,
    figure,
)


def overlay(
    weights: Float[np.ndarray, "g g"], size: int, stride: int = 4, first: float = 0.5
) -> Float[np.ndarray, "size size"]:
    """Weights of cells as light on pixels, 1 where the weight is largest.

    The middle of cell j lies at stride * j + first, in pixels from the edge, and that
    of pixel k at k + 0.5. Between the middles of two cells the light is interpolated.
    """
    cells, pixels = stride * np.arange(len(weights)) + first, np.arange(size) + 0.5
    share = np.stack([np.interp(pixels, cells, one) for one in np.eye(len(cells))])
    return share.T @ (weights / weights.max()) @ share


def looks(
    image: Float[np.ndarray, "3 S S"],
    words: Sequence[str],
    weights: Float[np.ndarray, "words g g"],
    centres: Float[np.ndarray, "words 2"],
) -> Figure:
    """A picture once per word, dimmed where the word's step did not look.

    centres  x and y in pixels from the edge: the centre of mass of the weights
    """
    fig, axes = figure(1.5 * len(words), 2.1, 1, len(words))
    for ax, word, map_, centre in zip(axes, words, weights, centres, strict=True):
        light = overlay(map_, image.shape[-1])
        ax.imshow(np.moveaxis(image, 0, 2) * (0.25 + 0.75 * light[..., None]))
        ax.plot(*(centre - 0.5), "x", color=YELLOW, markersize=10, markeredgewidth=3)
        ax.set_title(word, fontsize=12, fontweight="normal", loc="center")
        ax.set_axis_off()
    return fig


def framed(ax: Axes) -> None:
    """A picture without numbers at its sides, but with an edge: white belongs to it."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set(visible=True, color=GREY)


def window_map(phi: np.ndarray, kappa: np.ndarray) -> tuple[Figure, str]:
    """Graves's window: phi (steps, characters) as a picture, with its centres.

    Steps and characters are counted from 1, as in the formula.
    """
    fig, ax = figure(7.5, 3.4)
    right, top = (size + 0.5 for size in phi.shape)
    at = {"origin": "lower", "extent": (0.5, right, 0.5, top)}
    image = ax.imshow(phi.T, cmap=SEQUENTIAL, aspect="auto", **at)
    ax.plot(range(1, len(kappa) + 1), kappa, color=ORANGE, label=r"centre $\kappa_t$")
    ax.set(xlabel="pen step $t$", ylabel="character $u$", ylim=(0.5, top))
    ax.legend(loc="upper left", labelcolor="white")
    fig.colorbar(image, label=r"$\phi(t, u)$")
    alt = (
        f"The window moves from character {kappa[0]:.1f} to {kappa[-1]:.1f} in "
        f"{len(kappa)} pen steps, as a bright band along its centre."
    )
    return fig, alt


def gallery(images: np.ndarray, titles: Sequence[str], columns: int = 4) -> Figure:
    """Pictures with their captions above them: images (n, 3, height, width)."""
    rows = -(-len(images) // columns)
    fig, axes = figure(2.6 * columns, 2.75 * rows, rows, columns)
    for ax in np.atleast_1d(axes).flat:
        ax.set_axis_off()
    for ax, image, title in zip(np.atleast_1d(axes).flat, images, titles, strict=False):
        ax.set_axis_on()
        ax.imshow(np.moveaxis(np.asarray(image), 0, 2))
        ax.set_title(title, fontsize=10.5, fontweight="normal", loc="center")
        framed(ax)
    return fig


def draw_zoom(
    image: Float[np.ndarray, "3 S S"],
    patch: Float[np.ndarray, "3 N N"],
    offsets: Float[np.ndarray, " N"],
    centre: tuple[int, int],
) -> Picture:
    """A scene with the centres of DRAW's bells on it, and the patch that they read.

    centre  x and y in pixels from the edge
    """
    fig, (left, right) = figure(6.6, 3.3, 1, 2)
    left.imshow(np.moveaxis(image, 0, 2))
    x, y = np.meshgrid(centre[0] - 0.5 + offsets, centre[1] - 0.5 + offsets)
    left.plot(x.ravel(), y.ravel(), ".", color=GREY, markersize=3)
    size = image.shape[-1]
    left.set(title="the scene and the grid", xlim=(-0.5, size - 0.5))
    left.set(ylim=(size - 0.5, -0.5))
    right.imshow(np.moveaxis(patch, 0, 2).clip(0, 1))
    right.set_title(f"what is read: {patch.shape[1]} × {patch.shape[2]}")
    framed(left)
    framed(right)
    reach = offsets[-1] - offsets[0]
    alt = (
        f"A scene with a grid of bells around ({centre[0]}, {centre[1]}) that spans "
        f"{reach:.1f} pixels, and beside it the patch that the grid reads."
    )
    return fig, alt


def draw_canvas(images: Sequence[np.ndarray], titles: Sequence[str]) -> Picture:
    """A goal in grey, then the canvas after each write."""
    fig, axes = figure(1.8 * len(images), 2.2, 1, len(images))
    for ax, image, title in zip(axes, images, titles, strict=True):
        ax.imshow(image, cmap="Greys", vmin=0, vmax=float(np.max(images[0])))
        ax.set_title(title, fontsize=12)
        framed(ax)
    return (
        fig,
        "The goal in grey, and the canvas after one, two, three and four writes.",
    )
