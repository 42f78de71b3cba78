r"""Pictures of lecture 11: a prompted model, heads, few labels, sizes of models.

`PUBLISHED` is the table of sizes that the lecture rebuilds. `size` is the count behind
it, for one stack of L layers of width d with a tied read-out, V tokens, C positions:

$$L\,(12 d^2 + 13 d) + (V + C)\,d + 2d.$$
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from course_lib.show.boxes import arrow, labelled
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    Picture,
    figure,
    heat_map,
    seed_rows,
)


@dataclass(frozen=True)
class Published:
    """A row of the table; `layers` of an encoder-decoder counts both stacks."""

    name: str
    kind: str  # "both" encoder and decoder, "encoder", "decoder"
    layers: int
    width: int
    heads: int
    words: int  # vocabulary
    context: int  # learned positions; 0 where they are computed
    millions: float  # parameters, as published or as corrected later
    data: str = ""
    hardware: str = ""


PUBLISHED = (
    Published("Transformer base", "both", 12, 512, 8, 37000, 0, 65, "", "8 P100, 12 h"),
    Published(
        "Transformer big", "both", 12, 1024, 16, 37000, 0, 213, "", "8 P100, 3.5 d"
    ),
    Published("BERT base", "encoder", 12, 768, 12, 30522, 512, 110, "13 GB"),
    Published("BERT large", "encoder", 24, 1024, 16, 30522, 512, 340, "13 GB"),
    Published(
        "XLNet large",
        "encoder",
        24,
        1024,
        16,
        32000,
        0,
        340,
        "126 GB",
        "512 TPU, 5.5 d",  # as published; the first version on arXiv said 2.5
    ),
    Published(
        "RoBERTa", "encoder", 24, 1024, 16, 50265, 514, 355, "160 GB", "1024 V100, 1 d"
    ),
    Published("GPT-2", "decoder", 12, 768, 12, 50257, 1024, 124, "40 GB"),
    Published("GPT-2", "decoder", 24, 1024, 16, 50257, 1024, 355, "40 GB"),
    Published("GPT-2", "decoder", 36, 1280, 20, 50257, 1024, 774, "40 GB"),
    Published("GPT-2", "decoder", 48, 1600, 25, 50257, 1024, 1558, "40 GB"),
    Published(
        "Megatron-LM", "decoder", 40, 1536, 16, 51200, 1024, 1200, "174 GB", "64 V100"
    ),
    Published(
        "Megatron-LM", "decoder", 54, 1920, 20, 51200, 1024, 2500, "174 GB", "128 V100"
    ),
    Published(
        "Megatron-LM",
        "decoder",
        64,
        2304,
        24,
        51200,
        1024,
        4200,
        "174 GB",
        "256 V100, 10 d",
    ),
    Published(
        "Megatron-LM",
        "decoder",
        72,
        3072,
        32,
        51200,
        1024,
        8300,
        "174 GB",
        "512 V100, 9 d",
    ),
    Published("GPT-3", "decoder", 96, 12288, 96, 50257, 2048, 175_000, "570 GB"),
)
KINDS = {"both": "encoder and decoder", "encoder": "encoder", "decoder": "decoder"}


def size(layers: int, width: int, words: int, context: int = 1024) -> int:
    """Parameters of a GPT with d_ff = 4 width and a tied read-out."""
    if min(layers, width, words, context) < 0:
        raise ValueError(
            f"layers {layers}, width {width}, words {words}, context {context}: "
            "none of them can be negative"
        )
    layer = 12 * width**2 + 13 * width
    return layers * layer + (words + context) * width + 2 * width


def draw_sample(
    prompt: str, tokens: Sequence[str], chances: Sequence[float], temperature: float
) -> Picture:
    """A continuation as text, and how likely the model thought each token of it."""
    if len(tokens) != len(chances):
        raise ValueError(f"{len(tokens)} tokens but {len(chances)} chances")
    fig, (above, below) = figure(9.6, 4.2, 2, 1)
    fig.set_layout_engine(None)  # known places: faster to draw
    above.set_position((0.08, 0.79, 0.91, 0.19))
    below.set_position((0.08, 0.27, 0.91, 0.44))
    above.set_axis_off()
    written = "".join(tokens).replace("\n", " ¶ ")
    lines = textwrap.wrap(f"{prompt} …{written}", 88)[:3]
    above.text(0, 1, "\n".join(lines), va="top", fontsize=12, linespacing=1.5)
    places = np.arange(len(tokens))
    below.bar(places, chances, 0.8, color=BLUE)
    names = [token.replace(" ", "␣").replace("\n", "¶") for token in tokens]
    below.set_xticks(places, names, rotation=90, fontsize=9)
    below.set(xlabel="token written", ylabel="its probability", ylim=(0, 1))
    below.set_title(f"temperature {temperature:g}", fontsize=12)
    return fig, (
        f"At temperature {temperature:g} the prompt '{prompt}' goes on: {written}. The "
        f"mean probability of a token is {np.mean(chances):.2f}."
    )


def draw_few_labels(
    runs: Mapping[str, np.ndarray],
    labels: Sequence[int],
    majority: float,
    counted: Sequence[float] | None = None,
) -> Picture:
    """Share right against number of labels.  runs: name -> (draws, sizes)

    majority  what is right by always naming the largest class
    counted   what is right on average by knowing the labelled and guessing the others
    """
    fig, ax = figure(7.6, 3.5)
    places, told = np.arange(len(labels)), []
    for (name, shares), colour in zip(
        runs.items(), (BLUE, ORANGE, GREEN), strict=False
    ):
        shares = 100 * np.asarray(shares)
        ax.plot(places, shares.mean(axis=0), "-", color=colour, label=name)
        ax.plot(places, shares.T, "o", color=colour, markersize=5)
        told.append(
            f"{name} from {shares[:, 0].mean():.0f} to {shares[:, -1].mean():.0f}"
        )
    if counted is not None:
        line = 100 * np.asarray(counted)
        ax.plot(places, line, ":", color=INK, label="known, others guessed")
    ax.axhline(100 * majority, color=GREY, linestyle="--", label="majority class")
    ax.set_xticks(places, labels)
    ax.set(xlabel="labelled examples", ylabel="right on new ones (%)", ylim=(0, 104))
    ax.legend(loc="lower right")
    return fig, (
        f"Share right against labels, {labels[0]} to {labels[-1]}: "
        + ", ".join(told)
        + " per cent."
    )


def draw_plane(
    points: np.ndarray, kinds: Mapping[str, slice], names: Sequence[str]
) -> Picture:
    """Words as points on a plane, one colour for each kind; every eighth is named."""
    fig, ax = figure(7.2, 4.2)
    for (kind, rows), colour in zip(kinds.items(), (GREEN, PURPLE), strict=False):
        ax.plot(*points[rows].T, "o", color=colour, markersize=7, label=kind)
    halo = [withStroke(linewidth=3, foreground="white")]  # readable over other points
    named = list(zip(names, points, strict=True))[::8]
    wide, high = np.ptp(points, axis=0) * (0.13, 0.06)  # the room that a name takes
    for name, (x, y) in named:
        crowded = any(0 < u - x < wide and abs(v - y) < high for _, (u, v) in named)
        at, side = ((-5, 4), "right") if crowded else ((5, 4), "left")
        place = {"textcoords": "offset points", "fontsize": 11, "path_effects": halo}
        ax.annotate(name, (x, y), at, ha=side, **place)
        ax.scatter(x, y, s=49, facecolors="none", edgecolors=INK, zorder=3)
    ax.margins(0.12)
    ax.set(xlabel="first direction", ylabel="second direction")
    ax.legend(loc="best")
    listed = " and ".join(kinds)
    return fig, f"{len(points)} words on a plane, coloured by kind: {listed}."


def draw_loss_by_size(
    sizes: Sequence[int], nats: Sequence[float], counted: float
) -> Picture:
    """Nats a letter against parameters; what the best count reaches is a line."""
    fig, ax = figure(7.6, 3.4)
    ax.plot(sizes, nats, "o", color=BLUE, markersize=9, label="GPT")
    ax.axhline(counted, color=ORANGE, linestyle="--", label="best n-gram (Kneser-Ney)")
    for size_, value, name in zip(sizes, nats, SAID, strict=False):
        place = (10, -18 if abs(value - counted) < 0.2 else 6)  # clear of the line
        ax.annotate(name, (size_, value), place, textcoords="offset points")
    ax.set(xscale="log", xlim=(min(sizes) / 2, max(sizes) * 15))
    ax.set(ylim=(min(*nats, counted) - 0.2, max(nats) + 0.15))
    ax.set(xlabel="parameters", ylabel="nats a letter, unseen play")
    ax.legend(loc="upper right")
    return fig, (
        "Loss against number of parameters: two small GPTs, trained for seconds, lie "
        "far above the line of the best n-gram, the shipped GPT close to it."
    )


SAID = ("1 layer, seconds", "2 layers, seconds", "4 layers, 25 minutes")


def draw_reach(reach: Mapping[str, np.ndarray]) -> Picture:
    """Which input each output depends on, one panel for each mask."""
    fig, axes = figure(6.6, 3.1, 1, len(reach))
    for ax, (name, seen) in zip(axes, reach.items(), strict=True):
        heat_map(ax, seen.astype(float), diverging=False)
        ax.set(xlabel="token read", ylabel="token asked", title=name)
        places = range(len(seen))
        ax.set_xticks(places, [str(n + 1) for n in places])
        ax.set_yticks(places, [str(n + 1) for n in places])
    return fig, (
        "What an output can see: with a causal mask the lower triangle, tokens up to "
        "its own; without a mask all of them."
    )


def draw_lookup(scores: Mapping[str, Sequence[float]]) -> Picture:
    """Share right of every network of the sweep, and guessing among four."""
    fig, ax = figure(8.6, 0.9 + 0.55 * len(scores))
    seed_rows(ax, {k: [100 * v for v in values] for k, values in scores.items()})
    ax.axvline(25, color=GREY, linestyle="--", label="one of four")
    ax.set(xlim=(-3, 103), xlabel="right after two examples, worse task (%)")
    ax.set(ylabel="network")
    ax.legend(loc="upper center")
    told = [
        f"{name} {100 * min(v):.0f} to {100 * max(v):.0f}" for name, v in scores.items()
    ]
    return fig, f"Per cent right, every seed a point: {'; '.join(told)}."


def draw_heads(
    words: Sequence[str], first: np.ndarray, second: np.ndarray, answer: int
) -> Picture:
    """Two attention maps, (N, N) each; the answer of the last row is framed."""
    fig, axes = figure(13, 6.4, 1, 2)
    titles = ("layer 1: the token before", "layer 2: match and copy")
    for ax, weights, title in zip(axes, (first, second), titles, strict=True):
        heat_map(ax, weights, diverging=False, limit=1.0)
        ax.set_xticks(range(len(words)), list(words), rotation=90, fontsize=9)
        ax.set_yticks(range(len(words)), list(words), fontsize=9)
        ax.set(xlabel="is looked at", ylabel="looks", title=title)
    frame = (answer - 0.5, len(words) - 1.5)
    axes[1].add_patch(Rectangle(frame, 1, 1, fill=False, edgecolor=ORANGE, linewidth=3))
    share = second[-1, answer]
    return fig, (
        "Attention of two heads. Left, layer 1: a bright line just below the diagonal, "
        f"each token looks at the one before. Right, layer 2: {words[-1]}, asked last, "
        f"looks at {words[answer]}, the token after its earlier occurrence, with "
        f"{'more' if share > 0.5 else 'less'} than half of its weight."
    )


def draw_gap(
    words: Sequence[str],
    candidates: Sequence[str],
    chances: Mapping[str, Sequence[float]],
    true: float = 0.25,
) -> Picture:
    """A sentence with a gap goes through the encoder; what is said at the gap.

    chances   what stands in the place of the thing -> probability of each candidate
    true      the probability of every candidate that fits
    """
    fig, (left, right) = figure(10, 3.2, 1, 2)
    fig.set_layout_engine(None)  # the sentence needs more room than the bars
    left.set_position((0.0, 0.0, 0.62, 1.0))
    right.set_position((0.73, 0.2, 0.26, 0.66))
    gap, x, places = words.index("[MASK]"), 0.0, []
    for word in words:
        wide = 0.34 + 0.1 * len(word)
        places.append((x + wide / 2, wide))
        x += wide + 0.12
    for word, (middle, wide) in zip(words, places, strict=True):
        colour = {"[MASK]": ORANGE, "[CLS]": GREY}.get(word, BLUE)
        labelled(left, middle, 0, word, colour, INK, True, (wide - 0.1, 0.34), 12)
        arrow(left, (middle, 0.24), (middle, 0.72), colour)
    block = "encoder blocks, no mask: every token reads all others"
    labelled(left, (x - 0.12) / 2, 1, block, BLUE, INK, True, (x - 0.2, 0.44), 12)
    arrow(left, (places[gap][0], 1.28), (places[gap][0], 1.76), ORANGE)
    asked = "which token stood here?"
    left.text(places[gap][0] + 0.15, 1.86, asked, ha="center", va="bottom")
    left.set(xlim=(-0.1, x), ylim=(-0.4, 2.2))
    left.set_axis_off()
    wide = 0.8 / len(chances)
    for n, ((thing, share), colour) in enumerate(
        zip(chances.items(), (GREEN, PURPLE), strict=False)
    ):
        rows = np.arange(len(candidates)) + (n - (len(chances) - 1) / 2) * wide
        right.barh(rows, share, wide, color=colour, label=f"… {thing} …")
    right.set_yticks(range(len(candidates)), candidates)
    right.invert_yaxis()
    right.axvline(true, color=GREY, linestyle="--")
    right.set(xlabel="probability (dashed: true)", ylabel="token")
    above = {"loc": "lower left", "bbox_to_anchor": (-0.03, 0.98), "ncols": 2}
    right.legend(fontsize=11, columnspacing=1, handlelength=1.2, **above)
    told = []
    for thing, share in chances.items():
        likely = [c for c, p in zip(candidates, share, strict=True) if p > true / 2]
        told.append(f"with {thing} {', '.join(likely)}")
    return fig, (
        f"{' '.join(words)}: all tokens go through the encoder, and the output at the "
        f"gap is asked for the token. Likely, in truth {true:g} each: "
        f"{'; '.join(told)}."
    )
