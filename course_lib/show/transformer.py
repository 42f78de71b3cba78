r"""Pictures of lecture 10: positional encodings, a sweep, what the heads read.

Two of them move. `draw_positions` shows $P$ of positions.py, the hands of its clocks
and how similar one position is to all others. `draw_heads` shows the weights of one
head of a trained Transformer, which `look` has stored beforehand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from torch import Tensor

from course_lib.data.vocabulary import Vocabulary
from course_lib.models.attention import causal_mask
from course_lib.models.losses import shifted
from course_lib.models.norm_sweep import Row
from course_lib.models.positions import frequencies, sinusoids
from course_lib.models.transformer import Transformer, token_mask, with_positions
from course_lib.show.attention_layers import word_map
from course_lib.show.boxes import arrow
from course_lib.show.diagram.roles import BROWN, VIOLET
from course_lib.show.plots import (
    BLUE,
    GREY,
    INK,
    ORANGE,
    PALETTE,
    PURPLE,
    Picture,
    figure,
    heat_map,
)

POSITIONS = 64  # in the explorer
CLOCKS = 5  # pairs of columns drawn as clocks
ENCODER, DECODER, CROSS = (
    "encoder: source reads source",
    "decoder: output reads output",
    "cross: output reads source",
)
PARTS = (CROSS, ENCODER, DECODER)
LEAST = 1e-4  # smaller losses are drawn here


def similarities(n: int, d: int, base: float) -> np.ndarray:
    r"""$P_n \cdot P_m$ for every m, over its largest value d/2: (POSITIONS,)."""
    codes = sinusoids(POSITIONS, d, base=float(base)).numpy()
    return codes @ codes[n] / (d / 2)


def draw_positions(d: int = 32, base: float = 10_000, n: int = 20) -> Picture:
    """The encodings of 64 positions, the clocks of one, and what resembles it."""
    if not 0 <= n < POSITIONS:
        raise ValueError(f"position {n} is not among the {POSITIONS} that are drawn")
    fig, left, bar, clocks, near = _four_axes()
    image = heat_map(left, sinusoids(POSITIONS, d, base=float(base)).numpy(), limit=1.0)
    left.axhline(n, color=INK, linewidth=1.5)
    left.set(xlabel="column of $P$", ylabel="position", title=f"$P$, width {d}")
    fig.colorbar(image, cax=bar, ticks=[-1, 0, 1])
    _draw_clocks(clocks, n, d, base)
    alike = similarities(n, d, base)
    near.plot(range(POSITIONS), alike, color=BLUE)
    near.axvline(n, color=INK, linewidth=1)
    near.set(xlabel="position $m$", ylabel=rf"$P_{{{n}}}\cdot P_m\,/\,(d/2)$")
    near.set_ylim(min(-0.35, 1.1 * alike.min()), 1.05)
    far = np.abs(np.arange(POSITIONS) - n) > 3
    slow = 2 * np.pi / frequencies(d, float(base))[-1].item()
    alt = (
        f"Encodings of {POSITIONS} positions, width {d}, base {base:g}. Position {n} "
        f"resembles itself, 1.00; of those more than 3 away the most similar has "
        f"{alike[far].max():.2f}. The slowest clock turns once in {slow:.0f} positions."
    )
    return fig, alt


def _four_axes() -> tuple[Figure, Axes, Axes, Axes, Axes]:
    """The explorer's figure; fixed sizes halve the time of a slider step."""
    fig, (left, bar, clocks, near) = figure(9.6, 4.6, 1, 4)
    fig.set_layout_engine(None)
    left.set_position([0.07, 0.14, 0.33, 0.77])
    bar.set_position([0.415, 0.25, 0.012, 0.55])
    bar.set_label("<colorbar>")  # its numbers need no axis label
    clocks.set_position([0.48, 0.66, 0.51, 0.3])
    near.set_position([0.57, 0.14, 0.41, 0.46])
    return fig, left, bar, clocks, near


def clock_hands(n: int, d: int, base: float) -> tuple[np.ndarray, np.ndarray]:
    """Which pairs of columns are drawn, and the tips (sin, cos) of their hands."""
    pairs = np.unique(np.linspace(0, d // 2 - 1, CLOCKS).astype(int))  # d = 8 has 4
    angles = frequencies(d, float(base)).numpy()[pairs] * n
    return pairs, np.stack([np.sin(angles), np.cos(angles)], axis=1)


def _draw_clocks(ax: Axes, n: int, d: int, base: float) -> None:
    """Zero points up, and time runs clockwise."""
    ax.set(xlim=(-1.4, 2.8 * CLOCKS - 1.2), ylim=(-2.2, 1.6), aspect="equal")
    ax.set_axis_off()
    for place, (i, (right, up)) in enumerate(
        zip(*clock_hands(n, d, base), strict=True)
    ):
        x = 2.8 * place
        ax.add_patch(Circle((x, 0), 1, fill=False, color=GREY, linewidth=1.5))
        arrow(ax, (x, 0), (x + right, up), ORANGE)
        ax.text(x, -1.7, f"pair {i}", ha="center", va="center", fontsize=11)


def draw_rotary(n: int = 1, m: int = 4, moved: int = 5) -> Picture:
    """A query at n and a key at m, and both again `moved` positions later."""
    fig, axes = figure(9.6, 3.4, 1, 3)
    q, k, omega = 1.0, 0.4, 0.35  # angles of the plain vectors, turn per position
    for ax, start in zip(axes, (None, 0, moved), strict=True):
        ax.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35), aspect="equal")
        ax.set_axis_off()
        ax.add_patch(Circle((0, 0), 1, fill=False, color=GREY, linewidth=1))
        for angle, place, colour, name in (
            (q, n, VIOLET, "q"),
            (k, m, BROWN, "k"),
        ):
            now = angle if start is None else angle + omega * (place + start)
            tip = (np.cos(now), np.sin(now))
            arrow(ax, (0, 0), tip, colour)
            label = f"${name}$" if start is None else f"$R_{{{place + start}}}{name}$"
            at = 1.2 * np.array(tip)
            ax.text(*at, label, color=colour, ha="center", va="center", fontsize=14)
        between = abs(q - k) if start is None else abs(q - k + omega * (n - m))
        where = "not turned" if start is None else f"positions {n + start}, {m + start}"
        ax.set_title(f"{where}\n{np.degrees(between):.0f}° between them", fontsize=12)
    alt = (
        "One pair of columns of a query and a key, as arrows. Turned by their "
        f"positions {n} and {m}, the angle between them changes; moved on by {moved} "
        "positions, both arrows turn further and the angle stays what it was."
    )
    return fig, alt


def draw_fits(target: np.ndarray, fits: Mapping[str, np.ndarray]) -> Picture:
    """A function of the position, and what linear maps of encodings make of it."""
    fig, ax = figure(8, 3)
    ax.plot(target, color=GREY, linewidth=6, label="to be drawn")
    for colour, (name, fit) in zip(PALETTE, fits.items(), strict=False):
        ax.plot(fit, color=colour, label=name.replace("P_n", "$P_n$"))
    ax.set(xlabel="position $n$", ylabel="function of $n$")
    fig.legend(loc="outside right upper")
    alt = (
        f"A zigzag over {len(target)} positions and least-squares fits to it: a "
        "straight line misses it, narrow encodings follow with rounded corners, wide "
        "ones closely."
    )
    return fig, alt


def draw_similarity(tables: Mapping[str, np.ndarray]) -> Picture:
    """Cosine of every pair of rows, for tables of one row a position."""
    fig, axes = figure(9.6, 3.6, 1, len(tables))
    for ax, (name, rows) in zip(axes, tables.items(), strict=True):
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        heat_map(ax, unit @ unit.T, limit=1.0)
        ax.set(title=name, xlabel="position", ylabel="position", aspect="equal")
        ax.set(xticks=range(0, len(rows), 2), yticks=range(0, len(rows), 2))
    fig.colorbar(axes[0].images[0], ax=axes, label="cosine", ticks=[-1, 0, 1])
    alt = (
        f"Cosine between the rows of {len(tables)} tables of positions, as heat maps: "
        + ", ".join(tables)
        + ". Red along the diagonal means that neighbours resemble each other, blue "
        "that two rows are opposite."
    )
    return fig, alt


def draw_sweep(rows: Sequence[Row]) -> Picture:
    """Every trained network of the sweep: its last loss over the learning rate."""
    fig, axes = figure(9.6, 3.8, 1, 2)
    rates = sorted({row.rate for row in rows})
    warm_ups = sorted({row.warm_up for row in rows})
    for ax, place in zip(axes, ("post-norm", "pre-norm"), strict=True):
        for colour, side, warm_up in zip(
            (BLUE, ORANGE), (-1, 1), warm_ups, strict=True
        ):
            found = [r for r in rows if (r.place, r.warm_up) == (place, warm_up)]
            x = [rates.index(r.rate) + 0.16 * side + 0.03 * (r.seed - 2) for r in found]
            label = f"warm-up of {warm_up} steps" if warm_up else "no warm-up"
            y = [max(r.loss, LEAST) for r in found]
            ax.plot(x, y, "o", color=colour, alpha=0.75, label=label)
        ax.axhline(np.log(2), color=GREY, linestyle="--")
        ax.set_xticks(range(len(rates)), [f"{rate:g}" for rate in rates])
        ax.set(title=place, xlabel="learning rate", yscale="log")
        ax.set(ylabel="loss at the end", ylim=(0.8 * LEAST, 1.2))
    axes[1].legend(loc="lower left")
    alt = (
        f"Loss at the end of {len(rows)} trainings against the learning rate, "
        "post-norm and pre-norm, without and with a warm-up, every seed a point; "
        "dashed a coin."
    )
    return fig, alt


def draw_loss(history: Sequence[float]) -> Picture:
    """The loss of every step of a training."""
    fig, ax = figure(8, 2.8)
    ax.plot(range(1, len(history) + 1), history, color=PURPLE)
    ax.set(xlabel="step", ylabel="loss, nats per token", yscale="log")
    alt = (
        f"Loss of {len(history)} training steps on a log scale: it falls from "
        f"{history[0]:.0f} to below a tenth of that."
    )
    return fig, alt


@dataclass(frozen=True)
class Looked:
    """What every head of a Transformer read in one sentence."""

    source: tuple[str, ...]  # T words, <eos> at the end
    inputs: tuple[str, ...]  # what the decoder was given: <sos>, then the words before
    outputs: tuple[str, ...]  # what it is to write at the same places
    weights: dict[str, np.ndarray]  # one of PARTS -> (layers, H, N, M)


@torch.no_grad()
def look(
    model: Transformer,
    source: Tensor,
    target: Tensor,
    english: Vocabulary,
    french: Vocabulary,
) -> Looked:
    """Run one pair, (T,) and (U,) without padding, and keep all attention weights."""
    source, target = source[None], target[None]
    words, x = token_mask(source), with_positions(model.read_in, source)
    kept: dict[str, list] = {part: [] for part in PARTS}
    for layer in model.encoder:
        made = layer(x, words, need_weights=True)
        x = made.output
        kept[ENCODER].append(made.weights[0])
    memory, y = model.norm_encoder(x), with_positions(model.embed, shifted(target))
    for layer in model.layers:
        mask = causal_mask(target.shape[1])
        made = layer(y, memory, mask, words, need_weights=True)
        y = made.output
        kept[DECODER].append(made.weights[0])
        kept[CROSS].append(made.cross_weights[0])
    return Looked(
        tuple(english.tokens[w] for w in source[0]),
        tuple(french.tokens[w] for w in shifted(target)[0]),
        tuple(french.tokens[w] for w in target[0]),
        {part: torch.stack(maps).numpy() for part, maps in kept.items()},
    )


def head_names(layers: int, heads: int) -> list[str]:
    """All heads, as a reader counts them: from one."""
    numbers = [(n + 1, h + 1) for n in range(layers) for h in range(heads)]
    return [f"layer {n}, head {h}" for n, h in numbers]


def one_head(looked: Looked, part: str, head: str) -> np.ndarray:
    """The weights of the head with this name: (N, M)."""
    if part not in PARTS:
        raise ValueError(f"no part {part!r}: expected one of {PARTS}")
    names = head_names(*looked.weights[part].shape[:2])
    if head not in names:
        raise ValueError(f"no {head!r}: expected one of {names}")
    return np.concatenate(looked.weights[part])[names.index(head)]


def draw_heads(
    looked: Looked, part: str = CROSS, head: str = "layer 1, head 1"
) -> Picture:
    """The weights of one head: a row for each word that asks."""
    weights = one_head(looked, part, head)
    rows = {ENCODER: looked.source, DECODER: looked.inputs, CROSS: looked.outputs}[part]
    columns = looked.inputs if part == DECODER else looked.source
    fig, ax = figure(8.4, 5.2)
    fig.set_layout_engine(None)
    fig.subplots_adjust(left=0.2, right=0.99, bottom=0.24, top=0.92)
    image = word_map(ax, weights, rows, columns)
    fig.colorbar(image, ax=ax, label="weight", shrink=0.8)
    asks = "to be written next" if part == CROSS else "who asks"
    ax.set(title=f"{head}, {part}", xlabel="who is read", ylabel=asks)
    n, m = np.unravel_index(weights.argmax(), weights.shape)
    logs = np.log(np.maximum(weights, 1e-30))
    spread = np.exp(-(weights * logs).sum(axis=1)).mean()
    alt = (
        f"{head}, {part}: {len(rows)} rows, {len(columns)} columns. The strongest look "
        f"is {rows[n]} at {columns[m]}; a row reads {spread:.1f} words on average."
    )
    return fig, alt
