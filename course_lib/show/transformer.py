r"""Pictures of lecture 10: codes of positions, the drawn model, what its heads read.

Two of them move. `draw_positions` shows $P$ of positions.py, the hands of its clocks
and how similar one position is to all others. `draw_heads` shows the weights of one
head of a trained Transformer, which `look` has stored beforehand.
"""

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
from course_lib.models.positions import frequencies, sinusoids
from course_lib.models.transformer import Transformer, token_mask, with_positions
from course_lib.show.attention_layers import word_map
from course_lib.show.boxes import arrow, box, canvas
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PALETTE,
    PURPLE,
    YELLOW,
    Picture,
    figure,
    heat_map,
)

PLACES = 64  # positions in the explorer
CLOCKS = 5  # pairs of columns drawn as clocks
ENCODER, DECODER, CROSS = (
    "encoder: source reads source",
    "decoder: output reads output",
    "cross: output reads source",
)
PARTS = (CROSS, ENCODER, DECODER)


def similarities(n: int, d: int, base: float) -> np.ndarray:
    r"""$P_n \cdot P_m$ for every m, over its largest value d/2: (PLACES,)."""
    codes = sinusoids(PLACES, d, base=float(base)).numpy()
    return codes @ codes[n] / (d / 2)


def draw_positions(d: int = 32, base: float = 10_000, n: int = 20) -> Picture:
    """The codes of 64 positions, the clocks of one, and what resembles it."""
    if not 0 <= n < PLACES:
        raise ValueError(f"position {n} is not among the {PLACES} that are drawn")
    fig, left, bar, clocks, near = _four_axes()
    image = heat_map(left, sinusoids(PLACES, d, base=float(base)).numpy(), limit=1.0)
    left.axhline(n, color=INK, linewidth=1.5)
    left.set(xlabel="column of $P$", ylabel="position", title=f"$P$, width {d}")
    fig.colorbar(image, cax=bar, ticks=[-1, 0, 1])
    _draw_clocks(clocks, n, d, base)
    alike = similarities(n, d, base)
    near.plot(range(PLACES), alike, color=BLUE)
    near.axvline(n, color=INK, linewidth=1)
    near.set(xlabel="position $m$", ylabel=rf"$P_{{{n}}}\cdot P_m\,/\,(d/2)$")
    near.set_ylim(min(-0.35, 1.1 * alike.min()), 1.05)
    far = np.abs(np.arange(PLACES) - n) > 3
    slow = 2 * np.pi / frequencies(d, float(base))[-1].item()
    alt = (
        f"Codes of {PLACES} positions, width {d}, base {base:g}. Position {n} "
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
    pairs = np.linspace(0, d // 2 - 1, CLOCKS).astype(int)
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


def curves(
    series: dict, xlabel: str, ylabel: str, style: str = "-", log: str = ""
) -> tuple[Figure, Axes]:
    """Lines on the same axes: label -> list of (x, y); `log` names the log axes."""
    fig, ax = figure(8, 3.2)
    for colour, (label, lines) in zip(PALETTE, series.items(), strict=False):
        for number, (x, y) in enumerate(lines):
            name = label if number == 0 else None  # several runs, one entry
            ax.plot(x, y, style, color=colour, label=name)
    scales = {f"{axis}scale": "log" for axis in log}
    ax.set(xlabel=xlabel, ylabel=ylabel, **scales)
    fig.legend(loc="outside right upper")
    return fig, ax


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


def norm_orders() -> Picture:
    """Post-norm on the left, pre-norm on the right: where LayerNorm stands."""
    fig, ax = canvas(9.6, 2.3, 10.9, -0.95, 0.95)
    _one_order(ax, 0.0, "post-norm (2017)", ["sub-layer", "+", "LayerNorm"])
    _one_order(ax, 5.8, "pre-norm", ["LayerNorm", "sub-layer", "+"])
    alt = (
        "Post-norm: the sub-layer's result and x are added, then normalised. Pre-norm: "
        "x is normalised on its way into the sub-layer, and the sum is left as it is. "
        "The orange line is the residual path, in pre-norm without anything on it."
    )
    return fig, alt


def _one_order(ax: Axes, x: float, name: str, steps: list[str]) -> None:
    ax.text(x - 0.4, 0.8, name, fontsize=13, weight="bold", va="center")
    ax.text(x - 0.3, 0, "$x$", fontsize=14, va="center", ha="center", color=GREEN)
    looks = {"LayerNorm": (YELLOW, 1.2), "sub-layer": (BLUE, 1.1), "+": (INK, 0.3)}
    end = x - 0.1
    for step in steps:
        colour, width = looks[step]
        centre = end + 0.42 + width / 2
        arrow(ax, (end, 0), (centre - width / 2 - 0.06, 0), INK)
        box(ax, centre, 0, step, colour, size=(width, 0.36))
        end = centre + width / 2 + 0.06
        if step == "+":
            way = [x + 0.05, x + 0.05, centre], [0, -0.7, -0.7]
            ax.plot(*way, color=ORANGE, linewidth=2)
            arrow(ax, (centre, -0.7), (centre, -0.24), ORANGE)
    arrow(ax, (end, 0), (end + 0.4, 0), INK)


RISE = 0.62  # from one box of a tower to the next


def _tower(ax: Axes, x: float, parts: list[str], side: float) -> float:
    """Boxes upwards, with an orange way around each sub-layer; returns the top."""
    colours = {"words + positions": GREEN, "add, normalise": YELLOW, "read out": INK}
    for level, text in enumerate(parts):
        y, colour = RISE * level, colours.get(text, BLUE)
        colour = PURPLE if text == "feed-forward" else colour
        box(ax, x, y, text, colour, size=(2.7, 0.28))
        arrow(ax, (x, y - RISE + 0.18), (x, y - 0.18), INK)
        if text not in colours:
            turn, y_end = x + side, y + RISE
            way = [x, turn, turn], [y - 0.3, y - 0.3, y_end]
            ax.plot(*way, color=ORANGE, linewidth=1.8)
            arrow(ax, (turn, y_end), (x + np.sign(side) * 1.4, y_end), ORANGE)
    top = RISE * len(parts)
    arrow(ax, (x, top - RISE + 0.18), (x, top - 0.18), INK)
    return top


def architecture() -> Picture:
    """The whole model: encoder on the left, decoder on the right."""
    fig, ax = canvas(9.6, 5.8, 10.2, -0.85, 5.3)
    again = "add, normalise"
    encoder = ["words + positions", "self-attention", again, "feed-forward", again]
    decoder = ["words + positions", "masked self-attention", again, "cross-attention"]
    decoder += [again, "feed-forward", again, "read out"]
    top = _tower(ax, 2.0, encoder, -1.75)
    _tower(ax, 7.2, decoder, 1.75)
    texts = [
        (2.0, -0.62, r"$x_1, \dots, x_T$"),
        (2.0, top, r"memory $z_1, \dots, z_T$"),
    ]
    texts += [(7.2, -0.62, r"<sos>, $y_1, \dots, y_{T'-1}$")]
    texts += [(7.2, RISE * 8, r"$p(y_l \mid y_{<l}, z_{1:T})$")]
    texts += [(-0.15, 2.5 * RISE, "× 6"), (9.5, 3.5 * RISE, "× 6")]
    for x, y, text in texts:
        ax.text(x, y, text, ha="center", va="center", fontsize=13)
    cross = RISE * decoder.index("cross-attention")
    ax.plot([3.4, 4.6, 4.6], [top, top, cross], color=GREEN, linewidth=1.8)
    arrow(ax, (4.6, cross), (5.78, cross), GREEN, "$K, V$", (0.0, 0.2))
    alt = (
        "Left tower, the encoder: words plus positions, self-attention, add and "
        "normalise, feed-forward, add and normalise. Right tower, the decoder: words "
        "plus positions, masked self-attention, cross-attention, which takes keys and "
        "values from the encoder, and feed-forward, each followed by add and "
        "normalise, then the read-out. The blocks come six times; orange lines lead "
        "around every sub-layer."
    )
    return fig, alt
