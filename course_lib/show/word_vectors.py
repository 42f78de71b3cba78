"""Pictures of lecture 06b: words on a plane, and how alike their vectors are."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from course_lib.show.plots import BLUE, ORANGE, Picture, figure, heat_map


def draw_words(
    points: np.ndarray, words: Sequence[str], pairs: Sequence[tuple]
) -> Picture:
    """Words on a plane, and an arrow from the first to the second of each pair."""
    fig, ax = figure(7.4, 4.4)
    ax.scatter(*points.T, s=26, color=BLUE)
    for word, (x, y) in zip(words, points, strict=True):
        ax.annotate(word, (x, y), (5, 5), textcoords="offset points")
    place = dict(zip(words, points, strict=True))
    for a, b in pairs:
        arrow = {"arrowstyle": "->", "color": ORANGE, "shrinkA": 5, "shrinkB": 5}
        ax.annotate("", place[b], place[a], arrowprops=arrow)
    ax.margins(0.15)
    ax.set(xlabel="first direction", ylabel="second direction")
    listed = ", ".join(f"{a} to {b}" for a, b in pairs)
    return fig, (
        f"{len(words)} words on a plane; the arrows {listed} point almost the same way "
        "and are almost equally long."
    )


def draw_cosines(cosines: Float[np.ndarray, "n n"], words: Sequence[str]) -> Picture:
    """A square for every pair of words, dark red where they are used alike."""
    if len(words) != len(cosines):
        raise ValueError(f"{len(words)} words but {len(cosines)} rows of cosines")
    fig, ax = figure(7.6, 6.6)
    image = heat_map(ax, cosines, limit=1.0)
    ax.set_xticks(range(len(words)), words, rotation=90)
    ax.set_yticks(range(len(words)), words)
    ax.set(xlabel="word", ylabel="word")
    fig.colorbar(image, ax=ax, label="cosine of the two vectors", shrink=0.8)
    return fig, (
        f"Cosines between the vectors of {len(words)} words, in the order "
        f"{words[0]} to {words[-1]}: words of one group form darker squares along the "
        "diagonal."
    )
