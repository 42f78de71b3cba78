"""Drawings of lecture 07: lengths, alignments, a mistake's wake, and a beam search."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.data.reordering import Pair
from course_lib.data.vocabulary import EOS, Vocabulary
from course_lib.search import Beam, beam_search
from course_lib.show.boxes import box, canvas
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    SEQUENTIAL,
    Picture,
    figure,
)

# A made-up model of what comes next in Spanish, for *we are eating bread*.
NEXT = {
    "<sos>": {"comemos": 0.45, "estamos": 0.40, "pan": 0.15},
    "comemos": {"pan": 0.40, "el": 0.35, "<eos>": 0.25},
    "estamos": {"comiendo": 0.90, "pan": 0.06, "<eos>": 0.04},
    "comiendo": {"pan": 0.85, "el": 0.10, "<eos>": 0.05},
    "el": {"pan": 0.95, "<eos>": 0.05},
    "pan": {"<eos>": 0.95, "comiendo": 0.05},
}
LONGEST = 5


def chain(after: dict[str, dict[str, float]]) -> tuple[Callable, Vocabulary]:
    """A model that looks at one word only, as a step function for course_lib.search.

    after  for every word the probabilities of the next one; a word without an entry is
           always followed by <eos>
    """
    book = Vocabulary([*after, *(w for row in after.values() for w in row)])
    table = torch.zeros(len(book), len(book), dtype=torch.float64)
    table[:, EOS] = 1.0
    for word, following in after.items():
        total = sum(following.values())
        if abs(total - 1) > 1e-9:
            raise ValueError(f"what follows {word!r} adds up to {total}, not to 1")
        table[book.ids[word]] = 0.0
        for other, p in following.items():
            table[book.ids[word], book.ids[other]] = p
    log_p = table.log()
    return lambda previous, state: (log_p[previous], state), book


toy_step, BOOK = chain(NEXT)


def alignments(pairs: dict[str, Pair]) -> Picture:
    """Which words of two languages belong together, a chess board for each pair."""
    fig, axes = figure(10, 4.3, 1, len(pairs))
    told = []
    for ax, (title, pair) in zip(np.atleast_1d(axes), pairs.items(), strict=True):
        ax.imshow(pair.matrix, cmap=SEQUENTIAL, aspect="auto")
        ax.set(xlabel="source", ylabel="target", title=title)
        ax.set_xticks(range(len(pair.english)), pair.english, rotation=50, ha="right")
        ax.set_yticks(range(len(pair.french)), pair.french)
        ax.tick_params(labelsize=10)
        ax.spines[:].set_visible(False)
        told.append(f"'{' '.join(pair.english)}' with '{' '.join(pair.french)}'")
    alt = f"Which words belong together: {', and '.join(told)}; bright squares."
    return fig, alt


def crossings(pair: Pair) -> tuple[int, int]:
    """Pairs of links that cross, and all pairs of links."""
    links = sorted(pair.links)
    both = [(a, b) for n, a in enumerate(links) for b in links[n + 1 :]]
    return sum(a[0] < b[0] and a[1] > b[1] for a, b in both), len(both)


def lengths(T: np.ndarray, T_prime: np.ndarray) -> Picture:
    """How many pairs have which lengths: a histogram in two directions."""
    counts = np.zeros((T_prime.max(), T.max()), dtype=int)
    np.add.at(counts, (T_prime - 1, T - 1), 1)
    fig, ax = figure(8, 4.2)
    shown = np.where(counts > 0, counts, np.nan)
    extent = (0.5, T.max() + 0.5, 0.5, T_prime.max() + 0.5)
    image = ax.imshow(shown, origin="lower", extent=extent, aspect="auto", cmap="Blues")
    ax.plot([0.5, T.max() + 0.5], [0.5, T.max() + 0.5], ":", color=ORANGE)
    ax.text(T.max() + 0.3, T.max() - 2.6, "equal", color=ORANGE, ha="right")
    ax.set(xlabel="English tokens $T$", ylabel="French tokens $T'$")
    ax.set_xticks(range(2, T.max() + 1, 2))
    fig.colorbar(image, label="training pairs")
    alt = (
        f"Training pairs by length: {T.min()} to {T.max()} English tokens against "
        f"{T_prime.min()} to {T_prime.max()} French ones, a broad band around the "
        "diagonal of equal lengths."
    )
    return fig, alt


def after_a_mistake(
    curves: dict[str, np.ndarray], schedule: np.ndarray | None = None
) -> Picture:
    """curves: for each model (2, steps), the share of right tokens usually and after.

    schedule  the probability p of being told the true token, along the training
    """
    fig, axes = figure(10, 3.6, 1, 2)
    (left, ax), told = axes, []
    if schedule is not None:
        left.plot(np.linspace(0, 100, len(schedule)), schedule, color=ORANGE)
        left.plot([0, 100], [1, 1], color=BLUE)
    left.set(xlabel="share of the training (%)", ylabel="probability $p$ of the truth")
    left.set_ylim(0, 1.05)
    steps = np.arange(1, 1 + next(iter(curves.values())).shape[1])
    for colour, (name, (usual, after)) in zip(
        (BLUE, ORANGE), curves.items(), strict=False
    ):
        ax.plot(steps, 100 * usual, "--", color=colour)
        ax.plot(steps, 100 * after, "o-", color=colour, label=name)
        told.append(f"{name} {100 * after[0]:.0f} and then {100 * after[-1]:.0f}")
    ax.set(xlabel="steps after a wrong input", ylabel="next token right (%)")
    ax.set(ylim=(0, 101), xticks=steps)
    ax.legend(loc="lower right", title="dashed: no wrong input")
    alt = "Share of right tokens in per cent one and five steps after a wrong input: "
    return fig, alt + "; ".join(told) + ". Left, the probability of being told."


@dataclass(frozen=True)
class Node:
    """A candidate of one step of a beam search."""

    rank: int  # 0 is the best of its step
    word: str
    p: float  # probability of the words so far
    parent: int | None  # rank of the prefix it continues, in the step before
    kept: bool
    waiting: bool  # ended before, and only waits here


def columns(
    beam: Beam, book: Vocabulary, alpha: float = 0.0, row: int = 0
) -> list[list[Node]]:
    """The candidates of every step, best first: a list of lists of `Node`."""
    made, length, ended = [], None, None
    for step in beam.steps:
        candidates = step.candidates[row]  # (K, V)
        k, size = candidates.shape
        length = torch.zeros(k) if length is None else length
        ended = torch.zeros(k, dtype=torch.bool) if ended is None else ended
        now = (length + (~ended).float())[:, None].to(candidates)
        score = (candidates / now**alpha).flatten()
        alive = int((score > -torch.inf).sum())
        order = score.argsort(descending=True, stable=True)[:alive].tolist()
        nodes = [
            Node(
                rank,
                book.tokens[at % size],
                candidates.flatten()[at].exp().item(),
                at // size if made else None,
                rank < k,
                bool(ended[at // size]),
            )
            for rank, at in enumerate(order)
        ]
        made.append(nodes)
        length = now[:, 0].gather(0, step.parent[row])
        ended = step.done[row]
    return made


def draw_beam(width: int, step: int, alpha: float = 0.0) -> tuple[Figure, str]:
    """A beam search over the made-up model after `step` steps, the best on top."""
    beam = beam_search(toy_step, None, 1, LONGEST, width, alpha)
    shown = columns(beam, BOOK, alpha)
    rows = max(map(len, shown))  # the same height at every step
    fig, ax = canvas(10, 0.75 + 0.42 * rows, 9.6, 0.3 - rows, 1.4)
    box(ax, 0, 0, "<sos>", GREEN, size=(0.9, 0.5))
    for depth, nodes in enumerate(shown[:step], start=1):
        _draw_column(ax, nodes, depth)
    done, best, p = _best(beam, min(step, len(beam.steps)))
    told = f"Beam of width {width}, step {step}" + (
        f", alpha {alpha:.1f}" * (alpha > 0)
    )
    told += f". Best so far: {best} (probability {p:.3f}"
    told += "), complete." if done else "), not ended."
    ax.text(-0.5, 1.05, told, color=INK, fontsize=12.5, va="center")
    return fig, told


def _draw_column(ax: Axes, nodes: list[Node], depth: int) -> None:
    """The candidates of one step below each other; those kept are filled."""
    x = 1.9 * depth
    for node in nodes:
        y = -node.rank
        start = (x - 1.9 + 0.55, -(node.parent or 0))
        colour = BLUE if node.kept else GREY
        style = ":" if node.waiting else "-"
        ax.plot([start[0], x - 0.55], [start[1], y], style, color=colour, lw=1.3)
        filled = GREEN if node.word == "<eos>" else BLUE
        label = "(ended)" if node.waiting else node.word
        box(ax, x, y, label, filled, node.kept, size=(0.9, 0.5))
        plate = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        told = {"fontsize": 9.5, "va": "center", "bbox": plate, "zorder": 3}
        ax.text(x + 0.53, y + 0.42, f"{node.p:.3f}", color=colour, **told)


def _best(beam: Beam, step: int) -> tuple[bool, str, float]:
    """Whether the best prefix after `step` steps has ended, its words, probability."""
    words, slot = [], 0
    for now in reversed(beam.steps[:step]):
        words.append(int(now.token[0, slot]))
        slot = int(now.parent[0, slot])
    last = beam.steps[step - 1] if step else None
    text = " ".join(BOOK.decode(reversed(words))) or "nothing yet"
    return (
        bool(last is not None and last.done[0, 0]),
        text,
        last.log_p[0, 0].exp().item() if last is not None else 1.0,
    )
