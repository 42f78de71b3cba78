"""Pictures of lecture 01: histories of a ball, kinds of data, scores."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from course_lib.data.balls import fold
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
    _draw_circle(box, path[-1], hours=(3, 6, 9, 12))
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
    """The box, and the frames seen, older ones paler."""
    for age, place in enumerate(seen[::-1]):
        ax.plot(*place, "o", color=INK, alpha=0.85 * 0.55**age, markersize=13, mew=0)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="$x$", ylabel="$y$")
    ax.set(xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    ax.spines[:].set_visible(True)


def _draw_circle(ax: Axes, place: np.ndarray, hours: Sequence[int] = ()) -> None:
    """All places one step away; the hours of a clock where they fit into the box."""
    x, y = place
    ax.add_patch(Circle((x, y), STEP, fill=False, color=GREY, linestyle=":"))
    for hour in hours:
        angle = hour * np.pi / 6
        x, y = place + 1.35 * STEP * np.array([np.sin(angle), np.cos(angle)])
        if 0.03 < x < 0.97 and 0.03 < y < 0.97:
            ax.text(x, y, str(hour), ha="center", va="center", color=GREY, fontsize=9)


def _draw_errors(ax: Axes, errors: Mapping[str, float], fmt: str, title: str) -> None:
    colours = [YELLOW, PURPLE]
    bars = ax.barh(list(errors), list(errors.values()), color=colours, height=0.5)
    ax.bar_label(bars, fmt=fmt, padding=4)
    ax.set(xlim=(0, 0.3), xlabel="distance from the truth (box widths)")
    ax.set(ylabel="guess by", title=title)
    ax.invert_yaxis()


def draw_histories(path: np.ndarray, truth: np.ndarray) -> Picture:
    """The same ball with one, two and three frames of history.

    path (3, 2): the frames seen, the last one is now;  truth (2,): the next place
    """
    fig, axes = figure(8.8, 3.2, 1, 3)
    for ax, frames in zip(axes, (1, 2, 3), strict=True):
        _draw_box(ax, path[-frames:])
        ax.set_title(f"{frames} frame{'s' * (frames > 1)}", weight="normal")
        if frames == 1:
            _draw_circle(ax, path[-1])
        else:  # as if it flew on evenly
            guess = fold(2 * path[-1] - path[-2])
            ax.annotate("", guess, path[-1], arrowprops={"arrowstyle": "->"})
        if frames == 3:
            ax.plot(*truth, "o", color=GREEN, markersize=13, fillstyle="none", mew=3)
    return fig, (
        "A ball in a box, older frames paler. With one frame the next place may be "
        "anywhere on a circle; two frames give a direction; with three, the place "
        "where it went is shown, a green ring at the end of the arrow."
    )


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


def draw_curves(
    x: Sequence[float],
    runs: Mapping[str, np.ndarray],
    lines: Mapping[str, np.ndarray],
    names: tuple[str, str],
    alt: str,
) -> Picture:
    """Trained models as bands, from the best to the worst run; rules as dashed lines.

    The last model is the one with a state, and blue.

    runs   name -> (runs, len(x));  lines  name -> (len(x),), nan where there is none
    names  of the two axes
    """
    colours, ruled = (PURPLE, ORANGE, BLUE), (GREY, GREEN, YELLOW, INK)
    if not 0 < len(runs) <= len(colours) or len(lines) > len(ruled):
        said = f"{len(runs)} models and {len(lines)} rules"
        raise ValueError(f"{said}: at the most {len(colours)} and {len(ruled)}")
    trained = colours[-len(runs) :]
    fig, ax = figure(8.6, 3.4)
    for colour, (name, values) in zip(trained, runs.items(), strict=False):
        band(ax, x, values, colour, name)
    for colour, (name, values) in zip(ruled, lines.items(), strict=False):
        ax.plot(x, values, "--", color=colour, label=name)
    ax.set(xlabel=names[0], ylabel=names[1], ylim=(0, None), xticks=x)
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return fig, alt


def draw_context(accuracy: Mapping[str, Sequence[float]], alt: str) -> Picture:
    """Best accuracy against the words of context, from none.  name -> scores"""
    fig, ax = figure(8, 3)
    for colour, (word, scores) in zip((BLUE, PURPLE), accuracy.items(), strict=True):
        places = range(len(scores))
        ax.plot(places, scores, "o-", color=colour, label=f"the {word}")
    ax.set(xlabel="words of context $n$", ylabel="best possible accuracy")
    ax.set(ylim=(0, 1.1), xticks=range(max(map(len, accuracy.values()))))
    ax.legend(title="to predict", loc="center left", bbox_to_anchor=(1.01, 0.5))
    return fig, alt


def draw_kinds(
    text: str,
    notes: Sequence[tuple[float, float, float]],
    rate: tuple[np.ndarray, np.ndarray],
    sea: tuple[np.ndarray, np.ndarray],
    film: np.ndarray,
    field: np.ndarray,
) -> Picture:
    """Six kinds of sequence side by side.

    notes  (start, length, pitch), in eighths and MIDI numbers;  rate, sea  (time,
    value);  film  (T, pixels, pixels), row 0 at the bottom;  field  (T, longitudes)
    """
    fig, axes = figure(9.4, 5.2, 2, 3)
    (letters, tune, money), (water, top, wave) = axes
    _draw_letters(letters, text)
    for start, long, pitch in notes:
        tune.plot([start, start + 0.9 * long], [pitch, pitch], color=BLUE, lw=4)
    tune.set(title="a folk tune", xlabel="time (eighths)", ylabel="pitch (MIDI)")
    money.plot(*rate, color=BLUE, lw=1.4)
    money.set(title="an interest rate", xlabel="year", ylabel="per cent")
    water.plot(*sea, color=BLUE, lw=1)
    water.set(title="the sea off Peru", xlabel="year", ylabel="°C")
    shown, size = film[::4], film.shape[1] + 2
    strip = np.concatenate([np.pad(f, 1, constant_values=0.5) for f in shown], axis=1)
    top.imshow(strip, cmap="gray", origin="lower")
    top.set(title="a film (made)", xlabel="frame", yticks=[])
    top.set_xticks(size * (np.arange(len(shown)) + 0.5), range(1, len(film) + 1, 4))
    extent = (0, 360, 0, len(field))
    wave.imshow(field, "RdBu_r", aspect="auto", origin="lower", extent=extent)
    wave.set(title="a field (made)", xlabel="longitude", ylabel="month")
    wave.set(xticks=[0, 180, 360])
    return fig, (
        "Six kinds of sequence: letters of a play, the notes of a folk tune, an "
        "interest rate, the temperature of the sea with its seasons, four frames of a "
        "film with a moving ball, and a wave that travels eastwards round the globe."
    )


def _draw_letters(ax: Axes, text: str) -> None:
    """A row of letters, each in a cell with its number."""
    for place, letter in enumerate(text):
        x, y = place % 8, -(place // 8)
        ax.add_patch(Rectangle((x, y), 1, 1, fill=False, ec=GREY))
        shown = {" ": "␣", "\n": "↵"}.get(letter, letter)
        ax.text(x + 0.5, y + 0.5, shown, ha="center", va="center", color=INK)
    rows = -(-len(text) // 8)
    ax.set(xlim=(-0.1, 8.1), ylim=(1 - rows - 0.1, 1.1), title="letters of a play")
    ax.set_axis_off()


def draw_lengths(lengths: np.ndarray) -> Picture:
    """How often an input of T words has an output of T' words.  lengths (pairs, 2)"""
    most = lengths.max(axis=0)
    count = np.zeros((most[1], most[0]), int)
    np.add.at(count, (lengths[:, 1] - 1, lengths[:, 0] - 1), 1)
    fig, ax = figure(6.4, 3.9)
    shade = np.ma.masked_equal(np.log10(np.maximum(count, 1)), 0)
    extent = (0.5, most[0] + 0.5, 0.5, most[1] + 0.5)
    ax.imshow(shade, "Blues", vmin=-1, origin="lower", extent=extent, aspect="auto")
    for row, column in zip(*np.nonzero(count), strict=True):
        number = count[row, column]
        ink = "white" if number > 100 else INK
        place = (column + 1, row + 1)
        ax.text(*place, str(number), ha="center", va="center", color=ink, fontsize=10)
    for k in range(1, most.min() + 1):
        style = {"ec": ORANGE, "lw": 2, "label": "equal lengths" if k == 1 else None}
        ax.add_patch(Rectangle((k - 0.5, k - 0.5), 1, 1, fill=False, **style))
    ax.set(xlabel="English words $T$", ylabel="French words $T'$")
    ax.set(xticks=range(1, most[0] + 1), yticks=range(1, most[1] + 1))
    ax.legend(loc="upper left")
    longer, shorter = (np.sign(lengths[:, 1] - lengths[:, 0]) == s for s in (1, -1))
    return fig, (
        f"A grid of French against English length for {len(lengths)} number names, "
        f"with how often each pair of lengths occurs: {longer.sum()} have more words "
        f"in French, {shorter.sum()} fewer."
    )


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
