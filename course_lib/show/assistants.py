"""Pictures of lecture 12b: a template, ranks, rewards, rounding, and drafts."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    YELLOW,
    Picture,
    figure,
    heat_map,
    seed_rows,
)

KINDS = {
    "base, answer only": "tuned, loss on the answer",
    "base, all tokens": "tuned, loss on all tokens",
    "base, all tokens, its own rate": "the same, its own rate",
    "blank, answer only": "never pre-trained",
}


def draw_template(words: Sequence[str], counted: Sequence[bool]) -> Picture:
    """The tokens of a chat in a row; those that the loss counts are filled."""
    fig, ax = figure(9.4, 1.5)
    x, first = 0.0, list(counted).index(True)
    for n, (word, counts) in enumerate(zip(words, counted, strict=True)):
        special = word.startswith("<")
        wide = 0.30 + 0.115 * len(word)
        edge, fill = (PURPLE, "#f3dfe9") if counts else (GREY, "white")
        box = FancyBboxPatch((x, 0), wide, 0.5, boxstyle="round,pad=0,rounding_size=.1")
        box.set(edgecolor=edge, facecolor=fill, linewidth=1.8)
        ax.add_patch(box)
        family = "monospace" if special else "sans-serif"
        place = (x + wide / 2, 0.25)
        ax.text(*place, word, ha="center", va="center", family=family, color=INK)
        what = "counts" if counts else "is given"
        if n in (0, first):
            colour = PURPLE if counts else GREY
            ax.text(x, 0.72, what, ha="left", va="center", color=colour)
        x += wide + 0.12
    ax.set(xlim=(-0.05, max(x, 7.5)), ylim=(-0.1, 0.9), aspect="equal")
    ax.set_axis_off()
    asked = " ".join(w for w, c in zip(words, counted, strict=True) if c)
    return fig, f"{' '.join(words)}: a chat in a row; the loss counts only {asked}."


def draw_template_runs(
    shares: Mapping[str, tuple[Sequence[float], Sequence[float]]],
) -> Picture:
    """kind -> shares right with operations that were tuned, and with those that not."""
    fig, axes = figure(9.6, 3.0, 1, 2)
    titles = ("operations of the tuning requests", "operations left out of them")
    colours, told = (BLUE, YELLOW, ORANGE, GREY), []
    for side, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        rows = {KINDS[k]: [100 * v for v in both[side]] for k, both in shares.items()}
        seed_rows(ax, rows, colours)
        ax.set(xlim=(-4, 104), xlabel="right answers, new letters (%)")
        ax.set_title(title, fontsize=12)
        told.append(", ".join(f"{k} {np.mean(v):.0f}" for k, v in rows.items()))
    axes[0].set_ylabel("kind of run")
    axes[1].set_yticks(range(len(shares)), [""] * len(shares))
    alt = (
        f"Per cent right, a point for each run. With {titles[0]}, on average: "
        f"{told[0]}. With {titles[1]}: {told[1]}."
    )
    return fig, alt


Points = Mapping[str, tuple[int, Sequence[float]]]  # kind -> parameters, shares


def draw_ranks(points: Points) -> Picture:
    """Share right against the number of trained parameters, a point for each run."""
    fig, ax = figure(8.8, 3.4)
    ranks = [ns for kind, ns in points.items() if kind.startswith("rank")]
    means = [100 * float(np.mean(shares)) for _, shares in ranks]
    ax.plot([n for n, _ in ranks], means, color=BLUE, linewidth=1.5)
    for kind, (count, shares) in points.items():
        low_rank = kind.startswith("rank")
        colour = BLUE if low_rank else ORANGE if kind.startswith("last") else GREEN
        ax.plot([count] * len(shares), 100 * np.asarray(shares), "o", color=colour)
        top, label = 100 * max(shares), kind
        offset = (0, 7)
        ax.annotate(
            label,
            (count, top),
            offset,
            textcoords="offset points",
            ha="center",
            color=colour,
        )
    ax.set(xscale="log", ylim=(0, 112), xlabel="trained parameters")
    ticks = [2_000, 5_000, 10_000, 20_000, 50_000]
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.minorticks_off()
    ax.set_ylabel("right answers (%)")
    told = ", ".join(
        f"{kind} {100 * np.mean(shares):.0f}" for kind, (_, shares) in points.items()
    )
    return fig, f"Per cent right against trained parameters, five runs each: {told}."


def draw_rank(change: np.ndarray, rank: int, points: Points) -> Picture:
    """What rank r keeps of the change that full tuning made to one matrix.

    change  (d_out, d_in), of full tuning
    """
    u, s, vt = np.linalg.svd(change, full_matrices=False)
    kept = (u[:, :rank] * s[:rank]) @ vt[:rank]
    share = (s[:rank] ** 2).sum() / (s**2).sum()
    fig, axes = figure(9.6, 3.3, 1, 3)
    limit = float(np.abs(change).max())
    for ax, array, title in (
        (axes[0], change, "change by full tuning"),
        (axes[1], kept, f"its best part of rank {rank}"),
    ):
        heat_map(ax, array, limit=limit)
        ax.set_title(title, fontsize=12)
        ax.set(xlabel="column", ylabel="row")
    axes[2].plot(range(1, len(s) + 1), s, "o-", color=GREY, markersize=4)
    axes[2].plot(range(1, rank + 1), s[:rank], "o", color=BLUE, markersize=6)
    axes[2].set(xlabel="number", ylabel="singular value")
    axes[2].set_ylim(bottom=0)
    axes[2].set_title(f"{100 * share:.0f} % of the squares", fontsize=12)
    d_out, d_in = change.shape
    size = rank * (d_out + d_in)
    alt = (
        f"The change of one matrix by full tuning, its best part of rank {rank}, "
        f"{size:,} numbers instead of {change.size:,}, and its singular values."
    )
    if measured := points.get(f"rank {rank}"):
        right = 100 * np.mean(measured[1])
        alt += f" LoRA of this rank: {right:.0f} per cent right in section 2."
        fig.suptitle(
            f"{size:,} numbers instead of {change.size:,}; "
            f"LoRA of rank {rank}: {right:.0f} % right",
            fontsize=13,
        )
    return fig, alt


Curve = tuple[Sequence[float], Sequence[float], Sequence[float]]  # KL, proxy, true


def draw_over_optimisation(
    panels: Mapping[str, Sequence[Curve]], best: tuple[Sequence[float], Sequence[float]]
) -> Picture:
    """Rewards against the distance from the reference; a line for each seed.

    best  distances and true rewards of the policy that knows the true reward
    """
    fig, axes = figure(9.6, 3.6, 1, len(panels))
    told = []
    for ax, (title, curves) in zip(np.atleast_1d(axes), panels.items(), strict=True):
        for number, (distance, proxy, true) in enumerate(curves):
            names = ("proxy reward", "true reward") if not number else ("", "")
            style = {"linewidth": 1.2, "alpha": 0.8}
            ax.plot(distance, proxy, color=YELLOW, label=names[0] or None, **style)
            ax.plot(distance, true, color=BLUE, label=names[1] or None, **style)
        ax.plot(*best, "--", color=GREEN, linewidth=1.5, label="knows the true reward")
        ax.axhline(best[1][0], color=GREY, linewidth=1, linestyle=":")
        ax.set(xlabel="distance KL(π ‖ reference), nats", ylabel="mean reward")
        ax.set(xlim=(0, 12), ylim=(-10, 8))
        ax.set_title(title, fontsize=12)
        fallen = sum(true[-1] < true[0] for _, _, true in curves)
        told.append(
            f"{title}: the proxy rises in all {len(curves)} draws, the true reward "
            f"ends below its start in {fallen}"
        )
    np.atleast_1d(axes)[0].legend(fontsize=10, loc="lower left")
    return fig, f"Mean rewards against the distance. {'; '.join(told)}."


def draw_levels(W: np.ndarray, rows: Sequence[int], bits: int) -> Picture:
    """The weights of two rows, and the values that rounding leaves to them."""
    top = 2 ** (bits - 1) - 1
    fig, axes = figure(9.6, 2.9, 1, len(rows))
    widest = float(np.abs(W).max())
    for ax, row in zip(np.atleast_1d(axes), rows, strict=True):
        own = float(np.abs(W[row]).max())
        ax.hist(W[row], bins=60, range=(-own, own), color=BLUE, alpha=0.6)
        high = ax.get_ylim()[1]
        for scale, colour, low in ((widest / top, ORANGE, 0), (own / top, GREEN, 0.5)):
            levels = scale * np.arange(-top, top + 1)
            levels = levels[np.abs(levels) <= 1.02 * own]
            ends = (low * high, (low + 0.48) * high)
            ax.vlines(levels, *ends, color=colour, linewidth=1.6)
        ax.set(xlabel="weight", ylabel="how many")
        ax.set_title(f"row {row}, largest {own:.2f}", fontsize=12)
    handles = [
        axes[0].plot([], [], color=colour, label=label)[0]
        for colour, label in (
            (ORANGE, "levels of the tensor"),
            (GREEN, "levels of the row"),
        )
    ]
    fig.legend(handles=handles, loc="outside right upper")
    alt = (
        f"Weights of {len(rows)} rows as histograms with the {2 * top + 1} levels of "
        f"{bits} bits. One scale for the tensor, whose largest weight is {widest:.2f}, "
        "leaves a row few levels; a scale of its own uses all of them."
    )
    return fig, alt


def draw_acceptance(
    p: np.ndarray, q: np.ndarray, words: list[str], gamma: int, said: str = ""
) -> Picture:
    """Target and draft at one place, and what a round brings if all are like it.

    p, q  (V) probabilities; words  the name of each token
    """
    shown = np.argsort(-np.maximum(p, q))[:9]
    alpha = float(np.minimum(p, q).sum())
    fig, (left, right) = figure(9.6, 3.7, 1, 2)
    _bars(left, p[shown], q[shown], [words[int(n)] for n in shown])
    left.set_title(f"after {said!r}" if said else "one place", fontsize=12)
    gammas = np.arange(9)
    for other, colour in ((0.5, GREY), (0.8, GREY), (alpha, BLUE)):
        expected = [(other ** np.arange(g + 1)).sum() for g in gammas]
        right.plot(
            gammas, expected, color=colour, linewidth=1.3 if colour == GREY else 2
        )
        right.annotate(
            f"α = {other:.2f}",
            (8, expected[-1]),
            (4, 0),
            va="center",
            textcoords="offset points",
            color=colour,
            annotation_clip=False,
        )
    here = float((alpha ** np.arange(gamma + 1)).sum())
    right.plot([gamma], [here], "o", color=ORANGE, markersize=9)
    right.set(xlabel="drafts per round $\\gamma$", ylabel="tokens per target pass")
    right.set(ylim=(0.8, 5), xlim=(0, 8))
    right.set_title(f"{here:.2f} tokens with γ = {gamma}", fontsize=12)
    alt = (
        f"Probabilities of target and draft for nine tokens; they overlap by "
        f"{alpha:.2f}, so with {gamma} drafts a pass of the target brings {here:.2f} "
        "tokens if all places were like this one."
    )
    return fig, alt


def _bars(ax: Axes, p: np.ndarray, q: np.ndarray, words: Sequence[str]) -> None:
    place = np.arange(len(p))
    ax.bar(place - 0.2, p, 0.4, color=BLUE, label="target p")
    ax.bar(place + 0.2, q, 0.4, color=GREEN, label="draft q")
    both = np.minimum(p, q)
    for shift in (-0.2, 0.2):
        ax.bar(
            place + shift,
            both,
            0.4,
            color="none",
            edgecolor=INK,
            hatch="////",
            linewidth=0,
        )
    names = [word.replace("\n", "⏎").replace(" ", "␣") for word in words]
    ax.set_xticks(
        place, names, rotation=45, ha="right", family="monospace", fontsize=10
    )
    ax.set(xlabel="token", ylabel="probability")
    ax.legend(fontsize=10)
