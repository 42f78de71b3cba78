"""Pictures of lecture 01: guess the ball, kinds of data, task shapes, the timeline."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from course_lib.data.balls import fold
from course_lib.show import boxes
from course_lib.show.plots import (
    BLUE,
    GREEN,
    GREY,
    INK,
    PURPLE,
    YELLOW,
    Picture,
    figure,
)

STEP = 0.1  # how far a guessed ball flies: the root mean square speed of the balls
NO_GUESS = 0
HOURS = [("not yet: hide the answer", NO_GUESS)] + [
    (f"{hour} o'clock", hour) for hour in range(1, 13)
]


def clock_point(place: np.ndarray, hour: int) -> np.ndarray:
    """One step from `place` towards an hour of the clock; walls reflect.  (2,) -> (2,)

    12 is up, 3 right, 6 down, 9 left, as on a clock that hangs on the wall.
    """
    if not 1 <= hour <= 12:
        raise ValueError(f"hour must lie in 1..12, got {hour}")
    angle = hour * np.pi / 6
    return fold(place + STEP * np.array([np.sin(angle), np.cos(angle)]))


def draw_ball_guess(
    paths: np.ndarray, guesses: np.ndarray, ball: int, frames: int, hour: int
) -> Picture:
    """A ball seen for some frames, and, once you have guessed, where it went.

    paths    (balls, F + 1, 2): F frames one may see, then the one to be guessed
    guesses  (balls, F, 2): a model's guess, entry k - 1 made from the last k frames
    ball, frames   count from 1;  hour  NO_GUESS hides the answer, else 1 to 12
    """
    if not (1 <= ball <= len(paths) and 1 <= frames < paths.shape[1]):
        raise ValueError(
            f"ball {ball} of {len(paths)} and {frames} frames of {paths.shape[1] - 1}:"
            " both count from 1"
        )
    path, truth = paths[ball - 1, :-1], paths[ball - 1, -1]
    fig, (box, bars) = figure(7.8, 3.5, 1, 2)
    _draw_box(box, path[-frames:])
    seen = f"Ball {ball}, {frames} frame{'s' * (frames > 1)} seen"
    if hour == NO_GUESS:
        _draw_errors(bars, {"you": 0.0, "network": 0.0}, "?", "where does it go next?")
        return fig, f"{seen}. The next place is hidden until you guess."
    places = {
        "you": (clock_point(path[-1], hour), YELLOW, "X"),
        "network": (guesses[ball - 1, frames - 1], PURPLE, "s"),
    }
    for place, colour, marker in places.values():
        box.plot(*place, marker, color=colour, markersize=11)
    box.plot(*truth, "o", color=GREEN, markersize=13, fillstyle="none", mew=3)
    errors = {
        who: float(np.linalg.norm(p - truth)) for who, (p, _, _) in places.items()
    }
    _draw_errors(bars, errors, "%.2f", "the green ring is where it went")
    told = ", ".join(f"{who} {error:.2f}" for who, error in errors.items())
    return fig, f"{seen}. Distance from the true next place: {told}."


def _draw_box(ax: Axes, seen: np.ndarray) -> None:
    """The box, the frames seen (older ones paler) and a clock around the last."""
    for age, place in enumerate(seen[::-1]):
        ax.plot(*place, "o", color=INK, alpha=0.85 * 0.55**age, markersize=13, mew=0)
    last = seen[-1]
    ax.add_patch(Circle(last, STEP, fill=False, color=GREY, linestyle=":"))
    for hour in (3, 6, 9, 12):
        angle = hour * np.pi / 6
        x, y = last + 1.35 * STEP * np.array([np.sin(angle), np.cos(angle)])
        if 0 < x < 1 and 0 < y < 1:
            ax.text(x, y, str(hour), ha="center", va="center", color=GREY, fontsize=9)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="$x$", ylabel="$y$")
    ax.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    ax.spines[:].set_visible(True)


def _draw_errors(ax: Axes, errors: Mapping[str, float], fmt: str, title: str) -> None:
    colours = [YELLOW, PURPLE]
    bars = ax.barh(list(errors), list(errors.values()), color=colours, height=0.5)
    ax.bar_label(bars, fmt=fmt, padding=4)
    ax.set(xlim=(0, 0.3), xlabel="distance from the truth (box widths)")
    ax.set(ylabel="guess by", title=title)
    ax.invert_yaxis()


def band(
    ax: Axes,
    x: Sequence[float],
    runs: np.ndarray,
    colour: str,
    label: str | None = None,
) -> None:
    """The mean of several runs as a line, worst to best as a band.  runs (runs, x)"""
    ax.fill_between(x, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=0.3)
    ax.plot(x, runs.mean(axis=0), "o-", color=colour, label=label, markersize=5)


def draw_kinds(
    film: np.ndarray, speech: np.ndarray, price: np.ndarray, field: np.ndarray
) -> Picture:
    """Four kinds of sequence side by side.

    film   (T, pixels, pixels), row 0 at the bottom;  speech  (T,) at 8000 samples a
    second;  price  (T,), one a day;  field  (T, longitudes), one row a month
    """
    fig, ((top, sound), (walk, wave)) = figure(8.4, 4.6, 2, 2)
    shown, size = film[::5], film.shape[1] + 2
    strip = np.concatenate([np.pad(f, 1, constant_values=0.5) for f in shown], axis=1)
    top.imshow(strip, cmap="gray", origin="lower")
    top.set(title=f"film: {film[0].size} pixels a step", xlabel="frame", yticks=[])
    top.set_xticks(size * (np.arange(len(shown)) + 0.5), range(1, len(film) + 1, 5))
    sound.plot(np.arange(len(speech)) / 8, speech, color=BLUE, linewidth=1.2)
    sound.set(title="speech: one number a step", xlabel="time (ms)", ylabel="pressure")
    walk.plot(price, color=BLUE)
    walk.set(title="price: one number a step", xlabel="day", ylabel="price (£)")
    extent = (0, 360, 0, len(field))
    image = wave.imshow(field, "RdBu_r", aspect="auto", origin="lower", extent=extent)
    wave.set(title="climate: the equator's row", ylabel="month", yticks=[0, 12, 24, 36])
    wave.set(xlabel="longitude (degrees)", xticks=[0, 90, 180, 270, 360])
    fig.colorbar(image, ax=wave, label="anomaly")
    return fig, (
        "Four kinds of sequence: frames of a film with a moving ball, a sound that "
        "swells and rises in pitch, a price that wanders at random, and a wave that "
        "travels along the equator, drawn with longitude across and time upwards."
    )


def draw_lengths(lengths: np.ndarray) -> Picture:
    """How long sentences and their translations are.  lengths (pairs, 2)"""
    fig, (bars, grid) = figure(8.6, 3.0, 1, 2)
    steps = np.arange(1, lengths.max() + 1)
    for side, name, colour in [(0, "English, $T$", GREEN), (1, "French, $T'$", PURPLE)]:
        number = [(lengths[:, side] == k).sum() for k in steps]
        bars.bar(steps - 0.2 + 0.4 * side, number, 0.38, color=colour, label=name)
    bars.set(xlabel="words (split at blanks)", ylabel="phrases", xticks=steps)
    bars.legend()
    for place, number in Counter(map(tuple, lengths.tolist())).items():
        grid.scatter(*place, s=90 * number, color=BLUE, alpha=0.7)
    grid.plot(steps[[0, -1]], steps[[0, -1]], "--", color=GREY, label="equal")
    grid.set(xlabel="English words $T$", ylabel="French words $T'$")
    grid.set(xticks=steps, yticks=steps)
    grid.legend(loc="lower right")
    longer = int((lengths[:, 1] > lengths[:, 0]).sum())
    shorter = int((lengths[:, 1] < lengths[:, 0]).sum())
    return fig, (
        f"Left, a histogram of the lengths of {len(lengths)} English phrases and their "
        f"French translations. Right, French against English length: {longer} phrases "
        f"lie above the line of equal lengths, {shorter} below it."
    )


@dataclass(frozen=True)
class TaskShape:
    """How many steps go in, how many come out, and whether they share their steps."""

    name: str
    example: str
    inputs: int
    outputs: int
    aligned: bool = True

    @property
    def states(self) -> int:
        """An unaligned task reads everything first and writes afterwards."""
        both = (self.inputs, self.outputs)
        return max(both) if self.aligned else sum(both)


def draw_task_shapes(rows: Sequence[Sequence[TaskShape]]) -> Picture:
    """Each task as inputs (green), states (blue) and outputs (purple), row by row.

    Inputs stand below the first states, outputs above the last ones.
    """
    column, gap, height = 0.86, 2.0, 3.9
    right = max(sum(column * task.states + gap for task in row) for row in rows)
    fig, ax = boxes.canvas(
        8.8, 2.6 * len(rows), right - gap + 0.6, -height * (len(rows) - 1) - 1.3, 2.3
    )
    for number, row in enumerate(rows):
        x = 0.0
        for task in row:
            _draw_task(ax, task, x, -height * number, column)
            x += column * task.states + gap
    told = "; ".join(
        f"{task.name}: {task.inputs} in, {task.outputs} out"
        for row in rows
        for task in row
    )
    return fig, f"Task shapes drawn as inputs, states and outputs. {told}."


def _draw_task(ax: Axes, task: TaskShape, left: float, y: float, column: float) -> None:
    ax.text(left - 0.35, y + 1.95, task.name, color=INK, weight="bold", fontsize=13)
    ax.text(left - 0.35, y + 1.6, task.example, color=INK, fontsize=11)
    first_output = task.states - task.outputs
    for n in range(task.states):
        x = left + column * n
        boxes.box(ax, x, y, f"$h_{n + 1}$", BLUE)
        if n:
            boxes.arrow(ax, (x - column + 0.3, y), (x - 0.3, y), BLUE)
        if n < task.inputs:
            boxes.box(ax, x, y - 1, f"$x_{n + 1}$", GREEN)
            boxes.arrow(ax, (x, y - 0.8), (x, y - 0.2), INK)
        if n >= first_output:
            boxes.box(ax, x, y + 1, f"$y_{n - first_output + 1}$", PURPLE)
            boxes.arrow(ax, (x, y + 0.2), (x, y + 0.8), INK)


def draw_tracking(
    pictures: np.ndarray,
    hidden: np.ndarray,
    boxes: Mapping[str, tuple[np.ndarray, str]],
) -> Picture:
    """Frames side by side with boxes around the object.

    pictures  (frames, pixels, pixels), row 0 at the bottom;  hidden  (frames,) of bool
    boxes     name -> ((frames, 4) as left, bottom, right, top in 0..1, colour)
    """
    for name, (places, _) in boxes.items():
        if places.shape != (len(pictures), 4):
            raise ValueError(
                f"boxes of {name!r} have shape {places.shape}; expected "
                f"({len(pictures)}, 4): four edges for each picture"
            )
    fig, axes = figure(9.5, 2.1, 1, len(pictures))
    for t, (ax, picture) in enumerate(zip(axes, pictures, strict=True)):
        extent = (0, 1, 0, 1)
        ax.imshow(picture, cmap="gray", vmin=0, vmax=1.3, origin="lower", extent=extent)
        for places, colour in boxes.values():
            left, bottom, right, top = places[t]
            width, height = right - left, top - bottom
            ax.add_patch(
                Rectangle((left, bottom), width, height, fill=False, ec=colour, lw=2.2)
            )
        ax.set(xticks=[], yticks=[])
        ax.set_title(
            "covered" if hidden[t] else f"{t + 1}", loc="center", weight="normal"
        )
    handles = [
        Rectangle((0, 0), 1, 1, fill=False, ec=c, lw=2) for _, c in boxes.values()
    ]
    fig.legend(handles, list(boxes), loc="outside lower center", ncols=len(boxes))
    told = f"{len(pictures)} frames, {int(np.sum(hidden))} of them covered"
    return fig, f"{told}, each with the boxes of: {', '.join(boxes)}."


@dataclass(frozen=True)
class Milestone:
    """A paper on the timeline; `month` is when it was first public, as year.month."""

    year: int
    month: int
    name: str
    idea: str
    height: float  # where the label stands, above or below the line

    @property
    def when(self) -> float:
        """The middle of the month on a scale of years."""
        return self.year + (self.month - 0.5) / 12


def draw_timeline(milestones: Sequence[Milestone]) -> Picture:
    """Milestones on a line that is true to scale, labels above and below it."""
    fig, ax = figure(8.8, 4.2)
    ax.axhline(0, color=INK, linewidth=2)
    for item in milestones:
        ax.plot([item.when] * 2, [0, item.height], color=GREY, linewidth=1)
        ax.plot(item.when, 0, "o", color=BLUE, markersize=9)
        up = item.height > 0
        text = f"{item.name}\n{item.idea}"
        ax.text(
            item.when,
            item.height + (0.08 if up else -0.08),
            text,
            ha="center",
            va="bottom" if up else "top",
            fontsize=10.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    years = range(min(m.year for m in milestones), max(m.year for m in milestones) + 2)
    heights = [item.height for item in milestones]
    ax.set(xticks=years, yticks=[], xlabel="year in which it was first made public")
    ax.set(xlim=(years[0] - 0.4, years[-1] + 0.7))
    ax.set(ylim=(min(heights) - 1.0, max(heights) + 1.0))
    ax.spines["left"].set_visible(False)
    told = ", ".join(f"{item.year} {item.name}" for item in milestones)
    return fig, f"Timeline of attention: {told}."
