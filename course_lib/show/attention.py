"""Pictures of lecture 08: a decoder that looks back, and where it looked."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Bool, Float
from matplotlib.patches import Rectangle

from course_lib.show.diagram import draw
from course_lib.show.mechanisms import additive_attention
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PALETTE,
    Picture,
    figure,
    heat_map,
    seed_rows,
)


def draw_look(word: int = 1, panel: int = 1) -> Picture:
    """One panel of the toy's step, for a word of its output; both counted from 1."""
    return draw(additive_attention(word), panel)


def draw_map(
    weights: Float[np.ndarray, "written read"],
    source: Sequence[str],
    target: Sequence[str],
    links: Bool[np.ndarray, "written linked"] | None = None,
    names: tuple[str, str] = ("word read", "word written"),
    limit: float = 1.0,
) -> Picture:
    """Attention weights, one row for each word written.

    links  where a ring is drawn: the words that the grammar joins
    names  of the columns and of the rows
    limit  the weight with the brightest colour
    """
    if weights.shape != (len(target), len(source)):
        raise ValueError(
            f"weights of shape {weights.shape} for {len(target)} words written and "
            f"{len(source)} read"
        )
    fig, ax = figure(8.5, 1.2 + 0.33 * len(target))
    image = heat_map(ax, weights, diverging=False, limit=limit)
    alt = "Attention weights, a row for each item written and a column for each read."
    if links is not None:
        for row, column in np.argwhere(links):
            corner = (column - 0.46, row - 0.46)
            ax.add_patch(Rectangle(corner, 0.92, 0.92, fill=False, ec=ORANGE, lw=2))
        alt += " Orange squares mark the words that belong together."
    ax.set(xlabel=names[0], ylabel=names[1])
    ax.set_xticks(range(len(source)), source, rotation=40, ha="right")
    ax.set_yticks(range(len(target)), target)
    fig.colorbar(image, label="weight", extend="max" if limit < 1 else "neither")
    return fig, alt


def draw_sees(**maps: Bool[np.ndarray, "T T"]) -> Picture:
    """Which feature changes with which word; one square map for each encoder."""
    fig, axes = figure(3.4 * len(maps), 3.1, 1, len(maps))
    told = []
    for ax, (name, seen) in zip(np.atleast_1d(axes), maps.items(), strict=True):
        ax.imshow(np.where(seen, 0.75, 0.0), cmap="Blues", vmin=0, vmax=1)
        places = range(len(seen))
        ax.set_xticks(places, [f"$x_{k + 1}$" for k in places])
        ax.set_yticks(places, [f"$f_{k + 1}$" for k in places])
        ax.set(title=name.replace("_", " "), xlabel="word", ylabel="feature")
        ax.set_xticks(np.arange(len(seen) + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(len(seen) + 1) - 0.5, minor=True)
        ax.grid(which="minor", color="white", linewidth=2)
        ax.tick_params(which="minor", length=0)
        told.append(f"{name.replace('_', ' ')}: {int(seen.sum())} of {seen.size}")
    alt = "Pairs of a feature and a word that it depends on, in blue; "
    return fig, alt + "; ".join(told) + "."


def draw_paths(sizes: Mapping[str, Sequence[np.ndarray]]) -> Picture:
    """Size of the gradient at every source position, a line for each draw of weights.

    sizes  for each model its draws, each (T,), relative to the largest position
    """
    fig, ax = figure(8.5, 3.8)
    for colour, (name, draws) in zip(PALETTE, sizes.items(), strict=False):
        for number, line in enumerate(draws):
            place = np.arange(1, len(line) + 1)
            label = name if number == 0 else None
            ax.plot(place, line, color=colour, linewidth=1.2, label=label)
    ax.set(yscale="log", ylim=(1e-9, 3))
    ax.set(xlabel="source position", ylabel="gradient (largest = 1)")
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    alt = (
        "Size of the gradient at each of a hundred source positions before training, "
        "logarithmic. From the last state of a reader that goes one way it "
        "falls towards the first word, read both ways it falls towards the middle; "
        "with attention, and with the mean, the lines stay near the top."
    )
    return fig, alt


def draw_alignments(
    shares: Mapping[str, Sequence[float]], opponents: Mapping[str, float]
) -> Picture:
    """A point for every trained model; looks that need no model as lines."""
    fig, ax = figure(8.5, 1.2 + 0.45 * len(shares))
    percent = {name: [100 * share for share in row] for name, row in shares.items()}
    seed_rows(ax, percent, (BLUE,))
    for colour, (name, value) in zip(
        (GREY, GREEN, ORANGE), opponents.items(), strict=False
    ):
        ax.axvline(100 * value, color=colour, linestyle=":")
        ax.text(100 * value, -0.6, name, color=INK, fontsize=11, ha="center")
    ax.set(xlabel="largest weight on a linked word (%)", xlim=(0, 100))
    ax.set_ylabel("model")
    told = [f"{n}, {min(row):.0f} to {max(row):.0f}" for n, row in percent.items()]
    lines = [f"{name}, {100 * value:.0f}" for name, value in opponents.items()]
    alt = (
        "Share of French words whose largest weight lies on a linked English word, in "
        f"per cent, a point for each trained model: {'; '.join(told)}. Dotted lines: "
        f"{'; '.join(lines)}."
    )
    return fig, alt
