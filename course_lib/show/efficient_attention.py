r"""Pictures of lecture 15: a map of the methods, the pattern editor, the measurement.

The weights that a method uses in effect can be seen by reading the identity: with
$V = I$ the output is $A$ itself. The map draws seven methods in that way, from the same
queries and keys. The editor draws a sparsity pattern, and the inputs each output
depends on after some layers of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize
from torch import Tensor

from course_lib.models.attention import attention, masked_softmax
from course_lib.models.efficient import elu_features, linear, positive_features
from course_lib.models.sparse import (
    global_mask,
    local,
    reach,
    stride_mask,
    strided,
    window_mask,
)
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SEQUENTIAL,
    SKY,
    YELLOW,
    Picture,
    figure,
)

COLOURS = {
    "full": INK,
    "chunked": BLUE,
    "local": GREEN,
    "strided": SKY,
    "linear": ORANGE,
    "random features": YELLOW,
    "ISAB": PURPLE,
    "two terms": INK,
    "mean of values": GREY,
}
BASELINES = ("two terms", "mean of values")  # dashed
PLACES = 36  # positions of the pattern editor
EXTRAS = ("nothing", "stride 6", "stride 12", "1 global token", "2 random keys")
MOST_LAYERS = 8


def example_inputs(N: int = 24) -> tuple[Tensor, Tensor]:
    """Queries and keys (N, 8) that prefer near places and two far ones."""
    draw = torch.Generator().manual_seed(3)
    n = torch.arange(N)[:, None] / N
    turns = torch.tensor([1.0, 2.0, 3.0]) * 2 * torch.pi
    place = torch.cat([(n * turns).cos(), (n * turns).sin()], dim=1)
    kind = torch.nn.functional.one_hot(torch.arange(N) % 7 // 4, 2)
    x = torch.cat([1.5 * place, 1.2 * kind], dim=1).double()
    q = x + 0.2 * torch.randn(N, 8, generator=draw, dtype=torch.float64)
    return q, x


def effective_weights(N: int = 24) -> dict[str, np.ndarray]:
    """The (N, N) weights that each method uses in effect, read off with V = I."""
    q, k = example_inputs(N)
    eye = torch.eye(N, dtype=q.dtype)
    omega = torch.randn(16, 8, generator=torch.Generator().manual_seed(0)).to(q)
    points = k[:: N // 4]  # four of the keys stand for inducing points
    there = attention(points, k, eye).output
    back = masked_softmax(q @ points.transpose(-2, -1) * q.shape[-1] ** -0.5)
    kept = window_mask(N, 2) | global_mask(N, 2)
    features = lambda x: positive_features(x, omega)  # noqa: E731
    drawn = {
        "full": attention(q, k, eye).output,
        "exact, in chunks": attention(q, k, eye).output,
        "local window": local(q, k, eye, 2),
        "strided": strided(q, k, eye, 5),
        "window and global": attention(q, k, eye, kept).output,
        "linear, elu": linear(elu_features(q), elu_features(k), eye),
        "random features": linear(features(q), features(k), eye),
        "inducing points": back @ there,
    }
    return {name: weights.numpy() for name, weights in drawn.items()}


# what has to be computed and held, for N positions of width d
COSTS = {
    "full": "$N^2$ numbers at once",
    "exact, in chunks": "$N^2$ numbers, a few at a time",
    "local window": "$N \\cdot (2w + 1)$",
    "strided": "$N \\cdot N/s$",
    "window and global": "$N \\cdot (2w + 1 + 2g)$",
    "linear, elu": "$N \\times d$ times $d \\times N$",
    "random features": "$N \\times r$ times $r \\times N$",
    "inducing points": "$N \\times M$ times $M \\times N$",
}


def map_of_methods() -> Picture:
    """Eight squares of weights: what each method computes of the same attention."""
    weights = effective_weights()
    fig, axes = figure(10, 6.2, 2, 4)
    for ax, (name, A) in zip(axes.flat, weights.items(), strict=True):
        shown = np.where(A == 0, np.nan, A)  # what is never computed stays white
        ax.imshow(shown, cmap=SEQUENTIAL, vmin=0, vmax=0.3)
        ax.set_title(name)
        ax.set_xlabel(COSTS[name], fontsize=11)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(True)
        if name == "exact, in chunks":
            for at in (5.5, 11.5, 17.5):
                ax.axhline(at, color="white", linewidth=2)
                ax.axvline(at, color="white", linewidth=2)
    fig.supylabel("24 queries")
    fig.supxlabel("24 keys; below each square, what is computed and held")
    alt = (
        "The weights of 24 queries over 24 keys by eight methods. Chunks give the full "
        "square piece by piece; local, strided and global patterns leave pairs out; "
        "linear attention, random features and inducing points blur the square."
    )
    return fig, alt


def pattern(window: int, extra: str) -> Tensor:
    """(36, 36), True = may look: a window, and something that goes further."""
    N = PLACES
    if extra not in EXTRAS:
        raise ValueError(f"no pattern {extra!r}: expected one of {EXTRAS}")
    near = window_mask(N, window)
    if extra == "nothing":
        return near
    if extra == "1 global token":
        return near | global_mask(N, 1)
    if extra == "2 random keys":
        drawn = torch.rand(N, N, generator=torch.Generator().manual_seed(0))
        return near | (drawn >= drawn.topk(2, dim=1).values[:, 1:])
    return near | stride_mask(N, int(extra.split()[1]))


def layers_needed(mask: Tensor, most: int = MOST_LAYERS) -> np.ndarray:
    """How many layers it takes until n has heard of m; nan if more than `most`."""
    needed = np.full(mask.shape, np.nan)
    for layers in range(most, 0, -1):
        needed[reach(mask, layers).numpy()] = layers
    return needed


def draw_reach(window: int = 2, extra: str = EXTRAS[0], layers: int = 2) -> Picture:
    """The pattern editor: (figure, description)."""
    mask = pattern(window, extra)
    needed = layers_needed(mask)
    fig, (left, middle, right) = figure(10, 3.9, 1, 3)
    fig.set_layout_engine(None)  # known sizes: half the time of a slider step
    fig.subplots_adjust(left=0.06, right=0.98, bottom=0.15, top=0.84, wspace=0.32)
    left.imshow(np.where(mask, 1.0, np.nan), cmap=ListedColormap([BLUE]))
    keys = mask.sum().item() / PLACES
    left.set_title(f"one layer: a query reads\n{keys:.1f} of {PLACES} keys")
    seen = np.where(needed <= layers, needed, np.nan)
    shade = ScalarMappable(Normalize(1, max(layers, 2)), SEQUENTIAL)
    middle.imshow(seen, cmap=shade.cmap, norm=shade.norm)
    shares = [100 * float(np.mean(needed <= k)) for k in range(1, MOST_LAYERS + 1)]
    middle.set_title(
        f"heard of after {layers}:\n{shares[layers - 1]:.1f} % of all pairs"
    )
    for ax in (left, middle):
        ax.set(xlabel="key $m$", ylabel="query $n$")
    _reach_curve(right, shares, shade.to_rgba(np.arange(1, layers + 1)))
    alt = (
        f"Window {window} and {extra}: a query reads {keys:.1f} of {PLACES} keys on "
        f"average in one layer; after {layers} layer{'s' * (layers > 1)} "
        f"{shares[layers - 1]:.1f} per "
        "cent of all pairs are connected."
    )
    return fig, alt


def _reach_curve(ax: Axes, shares: list[float], colours: np.ndarray) -> None:
    """The dots are the key to the picture beside it: a colour for each layer so far."""
    numbers, layers = range(1, MOST_LAYERS + 1), len(colours)
    ax.plot(numbers, shares, "o-", color=GREY)
    dots = {"s": 90, "edgecolor": INK, "zorder": 3, "clip_on": False}
    ax.scatter(numbers[:layers], shares[:layers], c=colours, **dots)
    ax.set(xlabel="layers", ylabel="pairs reached (%)", ylim=(0, 104), xticks=numbers)
    ax.set_title("reach")


@dataclass
class Measured:
    """What one method cost and how far it was off: length N -> value."""

    seconds: dict[int, float] = field(default_factory=dict)
    peak: dict[int, int] = field(default_factory=dict)  # bytes
    soft: dict[int, float] = field(default_factory=dict)  # relative errors
    sharp: dict[int, float] = field(default_factory=dict)


def exponent(values: dict[int, float], start: int = 1024) -> float:
    r"""The slope $p$ of $\log$ value against $\log N$, from N = start on: $N^p$."""
    lengths = [N for N in values if start <= N]
    if len(lengths) < 2:
        raise ValueError(f"a slope needs two lengths of {start} or more, got {lengths}")
    costs = [values[N] for N in lengths]
    return float(np.polyfit(np.log(lengths), np.log(costs), 1)[0])


def crossover(first: dict[int, float], second: dict[int, float]) -> float:
    """Where `second` becomes cheaper than `first`, on straight lines in log-log.

    nan if it is so from the start or never.
    """
    lengths = sorted(set(first) & set(second))
    gap = [np.log(second[N] / first[N]) for N in lengths]
    for (N, before), (M, after) in zip(
        zip(lengths, gap, strict=True),
        zip(lengths[1:], gap[1:], strict=True),
        strict=False,
    ):
        if before >= 0 > after:
            part = before / (before - after)
            return float(np.exp(np.log(N) + part * np.log(M / N)))
    return float("nan")


def draw_measured(results: dict[str, Measured]) -> Picture:
    """Time, memory and two errors against the length, one line for each method."""
    fig, axes = figure(10, 7.4, 2, 2)
    panels = [
        ("time", "milliseconds", lambda m: m.seconds, 1e3),
        ("memory", "peak, megabytes", lambda m: m.peak, 1e-6),
        ("error, soft attention", "relative error", lambda m: m.soft, 1.0),
        ("error, sharp attention", "relative error", lambda m: m.sharp, 1.0),
    ]
    for ax, (title, unit, part, factor) in zip(axes.flat, panels, strict=True):
        _lines(ax, results, part, factor)
        ax.set(title=title, ylabel=unit, xlabel="length $N$")
        if title in ("time", "memory"):
            ax.set_yscale("log")
    keys = [ax.get_legend_handles_labels() for ax in axes.flat]
    named = {n: h for hs, ns in keys for h, n in zip(hs, ns, strict=True)}
    fig.legend(named.values(), named, loc="outside lower center", ncols=5)
    alt = (
        "Time, peak memory and errors of seven kinds of attention against the length. "
        "Full and chunked attention rise most steeply in time, full attention alone in "
        "memory. The error of chunked attention is a rounding error. Of the others "
        "the first two terms of the exponential are closest for soft attention, the "
        "window for sharp; the plain mean of all values is hardly worse than linear "
        "attention."
    )
    return fig, alt


def _lines(
    ax: Axes, results: dict[str, Measured], part: Callable, factor: float
) -> None:
    for name, measured in results.items():
        values = part(measured)
        if values:
            costs = [factor * value for value in values.values()]
            line = "o--" if name in BASELINES else "o-"
            ax.plot(
                list(values), costs, line, color=COLOURS[name], label=name, markersize=4
            )
    ax.set_xscale("log", base=2)
