"""Pictures of lecture 06c: piano rolls, bars, reviews, forecasts."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lib.data.climate import Series
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
)

NAMES = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"]


PLACES = {  # of names that would stand on a line
    "runs of 4": ((-10, -4), "right"),
    "runs of 7": ((8, -16), "left"),
    "runs of 9": ((8, -16), "left"),
    "LSTM": ((-10, -4), "right"),
}


def draw_bars_and_perplexity(
    points: Mapping[str, tuple[float, float]], book: float
) -> Picture:
    """Each model as a point: how well it predicts, how often its bars are right.

    points  model -> (perplexity, share of bars that add up)
    """
    fig, ax = figure(8, 3.8)
    plain = [value for name, value in points.items() if name[8:].isdigit()]
    others = [name for name in points if not name[8:].isdigit()]
    ax.plot(*zip(*plain, strict=True), color=GREY, linewidth=1)
    for name, (x, y) in points.items():
        colour = BLUE if name == "LSTM" else GREY if name[8:].isdigit() else ORANGE
        ax.plot(x, y, "o", color=colour, markersize=9)
        offset, side = PLACES.get(name, ((10, -4), "left"))
        ax.annotate(name, (x, y), offset, textcoords="offset points", ha=side)
    ax.axhline(book, color=GREEN, linestyle="--", label="the book")
    ax.set(xlabel="perplexity per token on jigs kept back (low is good)")
    ax.set(ylabel="bars that add up", ylim=(0, 1.08))
    ax.margins(x=0.15)
    ax.legend(loc="lower left")
    return fig, (
        "Share of right bars against perplexity: tables of longer runs climb from few "
        "right bars to nearly all while their perplexity first falls and then rises. "
        f"Apart from this line, at lower perplexity: {', '.join(others)}."
    )


def draw_bar_lines(line_now: Mapping[str, Sequence[float]]) -> Picture:
    """Probability of a bar line against the eighths that the bar holds already."""
    fig, ax = figure(8, 3)
    width = 0.8 / len(line_now)
    colours = (BLUE, YELLOW, GREY)
    for row, ((name, values), colour) in enumerate(
        zip(line_now.items(), colours, strict=False)
    ):
        shift = (row - (len(line_now) - 1) / 2) * width
        ax.bar(np.arange(len(values)) + shift, values, width, color=colour, label=name)
    ax.set(xlabel="eighths already in the bar", ylabel="p(bar line now)", ylim=(0, 1))
    ax.legend(loc="upper left")
    return fig, (
        "Probability of a bar line against the eighths already in the bar, for "
        f"{', '.join(line_now)}: for the LSTM almost nothing up to four and almost one "
        "at six; for longer runs less sharply; for the shortest about one in five "
        "from one eighth on."
    )


def draw_rolls(
    tunes: Mapping[str, Sequence[tuple]], bar: float, bars: int = 8
) -> Picture:
    """Piano rolls, one under the other: time to the right, pitch upwards.

    tunes  title -> notes (start, length, pitch), in eighths;  bar  eighths in a bar
    """
    fig, axes = figure(8.6, 2.3 * len(tunes), len(tunes), 1)
    for ax, (title, notes) in zip(np.atleast_1d(axes), tunes.items(), strict=True):
        _roll(ax, [note for note in notes if note[0] < bars * bar], bar, bars)
        ax.set_title(title, fontsize=11)
    return fig, (
        f"Piano rolls of {len(tunes)} tunes, {bars} bars each: "
        + "; ".join(tunes)
        + ". Each stroke is a note, its height the pitch, its length the duration."
    )


def _roll(ax: Axes, notes: Sequence[tuple], bar: float, bars: int) -> None:
    for start, length, pitch in notes:
        ax.plot(
            [start, start + 0.85 * length],
            [pitch, pitch],
            color=BLUE,
            linewidth=5,
            solid_capstyle="butt",
        )
    pitches = [pitch for *_, pitch in notes]
    ticks = [p for p in range(min(pitches) - 1, max(pitches) + 2) if p % 12 in (2, 9)]
    ax.set_yticks(ticks, [f"{NAMES[p % 12]}{p // 12 - 1}" for p in ticks])
    ax.set_xticks(np.arange(bars + 1) * bar, [str(n) for n in range(bars + 1)])
    ax.grid(axis="x", color=GREY, alpha=0.5)
    ax.set(xlabel="time (bars)", ylabel="pitch", xlim=(0, bars * bar))


def draw_reading(reviews: Sequence[tuple[str, np.ndarray]]) -> Picture:
    """How sure a critic is after every word.  reviews: (text, probabilities (T,))"""
    fig, axes = figure(8.6, 2.5 * len(reviews), len(reviews), 1)
    for ax, (text, says) in zip(np.atleast_1d(axes), reviews, strict=True):
        places = np.arange(len(says))
        colours = [GREEN if value > 0.5 else ORANGE for value in says]
        ax.bar(places, np.asarray(says) - 0.5, 0.7, bottom=0.5, color=colours)
        ax.axhline(0.5, color=INK, linewidth=1)
        ax.set_xticks(places, text.split(), rotation=30, ha="right")
        ax.set(xlabel="word just read", ylabel="p(kind)")
        ax.set(ylim=(0, 1), yticks=[0, 0.5, 1])
    ends = ", ".join("kind" if says[-1] > 0.5 else "harsh" for _, says in reviews)
    return fig, (
        "Probability that a review is kind after each of its words, for two reviews. "
        f"The verdicts at the end: {ends}."
    )


RULES = {  # one colour for one kind of rule, in both series
    "persistence": YELLOW,
    "seasonal naive": PURPLE,
    "anomaly persistence": ORANGE,
    "naive with drift": ORANGE,
    "damped persistence": GREEN,
    "linear": INK,
}


def draw_skill(
    errors: Mapping[str, np.ndarray], runs: np.ndarray, unit: str, name: str
) -> Picture:
    """Error against months ahead: simple rules as lines, the network as a band.

    errors  rule -> (months,);  runs  (seeds, months)
    """
    fig, (ax, near) = figure(8.6, 5.6, 2, 1)
    months = np.arange(1, runs.shape[1] + 1)
    damped = next(error for rule, error in errors.items() if "damped" in rule)
    for part, base in ((ax, 0 * damped), (near, damped)):
        low, high = (side(axis=0) - base for side in (runs.min, runs.max))
        part.fill_between(months, low, high, color=BLUE, alpha=0.3)
        mean = runs.mean(axis=0) - base
        part.plot(months, mean, "o-", color=BLUE, label="LSTM (worst to best)")
    for rule, error in errors.items():
        colour = RULES.get(rule, GREY)
        ax.plot(months, error, color=colour, label=rule)
        near.plot(months, error - damped, color=colour)
    most = 1.6 * float(np.abs(runs - damped).max())
    near.set(xlabel="months ahead", ylabel=f"error above that of\ndamped ({unit})")
    near.set(xticks=months, ylim=(-most, most))
    ax.set(xlabel="months ahead", ylabel=f"error, root mean\nsquare ({unit})")
    rest = [error for rule, error in errors.items() if rule != "persistence"]
    # persistence would hide the rest
    highest = float(np.max([*rest, runs.max(axis=0)]))
    ax.set(xticks=months, ylim=(0, 1.15 * highest))
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig, (
        f"Forecast error of {name} against months ahead for {', '.join(errors)} and "
        f"{len(runs)} LSTMs drawn as a band; persistence leaves the picture at the "
        "top. Below, the same as differences from damped persistence."
    )


def draw_series(series: Mapping[str, Series], splits: Sequence[int]) -> Picture:
    """Monthly series, one under the other; dotted where the test years begin."""
    fig, axes = figure(8.6, 1.9 * len(series), len(series), 1)
    for ax, (label, one), split in zip(axes, series.items(), splits, strict=True):
        ax.plot(one.year, one.values, color=BLUE, linewidth=1.2)
        ax.axvline(split, color=INK, linestyle=":")
        ax.set(xlabel="year (dotted: the test begins)", ylabel=label)
    return fig, (
        "Monthly sea surface temperature off Peru, 1950 to 2010, a yearly wave with "
        "warm spells such as 1982 and 1997; and carbon dioxide on Mauna Loa, 1958 to "
        "2001, a steady rise with a small yearly wave."
    )
