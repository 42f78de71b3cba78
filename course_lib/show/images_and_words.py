"""Pictures of lecture 14b: patches, galleries, similar places, words over a picture."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.patches import Rectangle

from course_lib.show.plots import (
    GREY,
    INK,
    ORANGE,
    Picture,
    figure,
    heat_map,
)

LABEL = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}


def draw_patches(image: Float[np.ndarray, "H W"], p: int) -> Picture:
    """An image with the cuts drawn in, its patches in a row, and each one as a row."""
    side, count = len(image) // p, (len(image) // p) ** 2
    cut = image.reshape(side, p, side, p).swapaxes(1, 2).reshape(count, p, p)
    fig, axes = figure(9.6, 3.4, 1, 3)
    axes[0].imshow(image, cmap="Greys", vmin=0, vmax=1)
    for edge in np.arange(p, len(image), p) - 0.5:
        axes[0].axhline(edge, color=ORANGE, linewidth=1.5)
        axes[0].axvline(edge, color=ORANGE, linewidth=1.5)
    spread = np.full((side * (p + 1) - 1, side * (p + 1) - 1), np.nan)
    for n, piece in enumerate(cut):
        row, column = (p + 1) * (n // side), (p + 1) * (n % side)
        spread[row : row + p, column : column + p] = piece
        where = (column + (p - 1) / 2, row + (p - 1) / 2)
        axes[1].text(*where, str(n), ha="center", va="center", color=ORANGE,
                     fontsize=11, fontweight="bold", bbox=LABEL)  # fmt: skip
    axes[1].imshow(spread, cmap="Greys", vmin=0, vmax=1)
    axes[2].imshow(cut.reshape(count, -1), cmap="Greys", vmin=0, vmax=1, aspect="auto")
    axes[2].set_yticks(range(count), [str(n) for n in range(count)], fontsize=9)
    axes[2].set_xticks(range(p * p))
    axes[2].set(xlabel="pixel of the patch", ylabel="patch")
    titles = (
        f"image {image.shape}",
        f"{count} patches",
        f"a sentence ({count}, {p * p})",
    )
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title)
    for ax in axes[:2]:
        ax.set_axis_off()
    alt = (
        f"A handwritten digit of {image.shape[0]} by {image.shape[1]} pixels; the same "
        f"cut into {count} numbered patches of {p} by {p}; and the patches as {count} "
        f"rows of {p * p} numbers each, from the top left to the bottom right."
    )
    return fig, alt


def draw_gallery(
    rows: dict,
    alt: str,
    width: float = 9.6,
    limit: float = 1.0,
    given: int | None = None,
) -> Picture:
    """Small pictures in rows, (count, h, w) each; the key is the row's title.

    given  draws a line below this many rows of pixels: what was known above it
    """
    count = max(map(len, rows.values()))
    fig, axes = figure(width, 1.15 * len(rows), len(rows), count)
    axes = np.atleast_2d(axes)
    for line, (title, images) in zip(axes, rows.items(), strict=True):
        for ax, image in zip(line, images, strict=False):
            ax.imshow(image, cmap="Greys", vmin=0, vmax=limit)
            if given is not None:
                ax.axhline(given - 0.5, color=ORANGE, linewidth=1.2)
        for ax in line:
            ax.set(xticks=[], yticks=[])
            ax.spines[:].set_visible(False)
        line[0].set_ylabel(title, rotation=0, ha="right", va="center", labelpad=8)
    return fig, alt


def draw_colours(rows: dict, alt: str) -> Picture:
    """Coloured pictures in rows, (count, h, w, 3) each, with a thin frame."""
    count = max(map(len, rows.values()))
    fig, axes = figure(9.6, 1.05 * len(rows), len(rows), count)
    for line, (title, images) in zip(np.atleast_2d(axes), rows.items(), strict=True):
        for ax, image in zip(line, images, strict=False):
            ax.imshow(image)
        for ax in line:
            ax.set(xticks=[], yticks=[])
            ax.spines[:].set(visible=True, color=GREY, linewidth=0.6)
        line[0].set_ylabel(title, rotation=0, ha="right", va="center", labelpad=8)
    return fig, alt


def draw_similar_places(tables: dict, alt: str) -> Picture:
    """For each table (16, 16): how similar each place of a 4 x 4 grid is to all others.

    Place n of the outer grid holds the 4 x 4 map of its similarities; its own cell is
    outlined.
    """
    fig, axes = figure(9.6, 4.3, 1, len(tables))
    fig.set_layout_engine("constrained", wspace=0.12)
    for ax, (title, table) in zip(np.atleast_1d(axes), tables.items(), strict=True):
        side = round(len(table) ** 0.5)
        big = np.full((side * (side + 1) - 1,) * 2, np.nan)
        for n, row in enumerate(np.asarray(table)):
            down, along = (side + 1) * (n // side), (side + 1) * (n % side)
            big[down : down + side, along : along + side] = row.reshape(side, side)
            own = (along + n % side - 0.5, down + n // side - 0.5)
            box = {"fill": False, "edgecolor": INK, "linewidth": 1.5}
            ax.add_patch(Rectangle(own, 1, 1, **box))
        heat_map(ax, big, limit=1.0)
        ax.set_aspect("equal")
        ax.set_title(title)
        ax.set_axis_off()
    colours = np.atleast_1d(axes)[0].images[0]
    fig.colorbar(colours, ax=axes, shrink=0.7, label="cosine similarity")
    return fig, alt


def draw_words(
    picture: np.ndarray, words: Sequence[str], maps: np.ndarray, alt: str
) -> Picture:
    """A picture (3, h, w), and for each word the regions it reads, (words, r, r)."""
    fig, axes = figure(9.6, 2.0, 1, 1 + len(words))
    height, width = np.shape(picture)[1:]
    strongest = float(np.max(maps))  # of all words, so that they can be compared
    image = np.moveaxis(np.asarray(picture), 0, -1)
    for ax in axes:
        ax.set_axis_off()
    axes[0].imshow(image)
    axes[0].set_title("picture", fontsize=11)
    for ax, word, weight in zip(axes[1:], words, maps, strict=True):
        ax.imshow(image, alpha=0.35)
        ax.imshow(np.asarray(weight), cmap="Blues", vmin=0, vmax=strongest, alpha=0.7,
                  extent=(-0.5, width - 0.5, height - 0.5, -0.5))  # fmt: skip
        ax.set_title(word, fontsize=11)
    return fig, alt
