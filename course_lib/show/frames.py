"""An interactive part without a kernel: a picture of every state, drawn in advance.

The web edition cannot run Python. Where the environment variable COURSE_FRAMES names a
folder, `explore` draws all states of a grid into it. A slider with many steps keeps
a few of them, its ends and its start among them, so that a part has at most MOST
states.
"""

import io
import itertools
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import matplotlib.pyplot as plt
from PIL import Image

from course_lib.show.plots import Picture, png

FOLDER = "COURSE_FRAMES"  # where frames are wanted
MOST_FRAMES = "COURSE_FRAMES_MOST"  # fewer, for a quick look
MOST, COLOURS = 150, 64


def steps(control: Any) -> list:
    """Every value that a control can take."""
    if isinstance(control, widgets.Dropdown):
        options = [o[1] if isinstance(o, tuple) else o for o in control.options]
        return list(options)
    count = round((control.max - control.min) / control.step)
    digits = 0 if isinstance(control, widgets.IntSlider) else 6
    values = [round(control.min + n * control.step, digits) for n in range(count + 1)]
    return [int(v) for v in values] if not digits else values


def thinned(values: list, count: int, start: Any) -> list:
    """About `count` of the values, evenly spread, with both ends and the start."""
    last = len(values) - 1
    places = {round(n * last / max(count - 1, 1)) for n in range(count)}
    if count > 1 and start in values and values.index(start) not in places:
        nearest = min(
            places - {0, last} or places, key=lambda p: abs(p - values.index(start))
        )
        places = places - {nearest} | {values.index(start)}
    return [values[place] for place in sorted(places)]


def grid(
    controls: Mapping[str, widgets.ValueWidget],
    given: Mapping[str, Iterable] | None = None,
    most: int = MOST,
) -> dict[str, list]:
    """The values of each control: the given ones, or as many as fit."""
    given = given or {}
    full = {name: list(given.get(name, steps(c))) for name, c in controls.items()}
    kept = {name: len(values) for name, values in full.items()}
    free = [name for name in full if name not in given]
    while _product(kept.values()) > most and any(kept[name] > 2 for name in free):
        # sliders first: the names in a list are not numbers between which one can skip
        sliders = [n for n in free if not isinstance(controls[n], widgets.Dropdown)]
        longest = max(
            [n for n in sliders if kept[n] > 2] or free, key=lambda n: kept[n]
        )
        kept[longest] -= 1
    return {
        name: thinned(values, kept[name], controls[name].value)
        if kept[name] < len(values)
        else values
        for name, values in full.items()
    }


def _product(numbers: Iterable[int]) -> int:
    result = 1
    for number in numbers:
        result *= number
    return result


def webp(picture: bytes) -> bytes:
    """A PNG as WebP in few colours: half the size, equal to the eye."""
    small = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.convert("RGB").save(small, format="webp", lossless=True, method=4)
    return small.getvalue()


def wanted() -> Path | None:
    """The folder for frames, if the book is being made."""
    return Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None


def write(
    folder: Path,
    draw: Callable[..., Picture],
    controls: Mapping[str, widgets.ValueWidget],
    given: Mapping[str, Iterable] | None = None,
) -> Path:
    """Draw every state; the last control moves fastest. Returns the new folder.

    Parts of a lecture are numbered in the order in which they are met.
    """
    most = int(os.environ.get(MOST_FRAMES, MOST))
    values = grid(controls, given, most)
    part = folder / f"part-{len(list(folder.glob('part-*'))) + 1}"
    part.mkdir(parents=True)
    files, descriptions, sizes = [], [], []
    for number, state in enumerate(itertools.product(*values.values())):
        fig, description = draw(**dict(zip(values, state, strict=True)))
        picture = png(fig)
        plt.close(fig)
        files.append(f"{number:03}.webp")
        descriptions.append(description)
        sizes.append([int.from_bytes(picture[at : at + 4], "big") for at in (16, 20)])
        (part / files[-1]).write_bytes(webp(picture))
    table = {
        "controls": [_control(controls[name], values[name]) for name in values],
        "files": files,
        "descriptions": descriptions,
        "size": [max(column) for column in zip(*sizes, strict=True)],
    }
    (part / "frames.json").write_text(json.dumps(table), encoding="utf-8")
    return part


def named(control: Any, values: list) -> list[str]:
    """The values of a control as a reader knows them: a choice may have labels."""
    options = getattr(control, "options", ())
    labels = [option for option in options if isinstance(option, tuple)]
    return [
        str(next((label for label, meant in labels if meant == value), value))
        for value in values
    ]


def _control(control: Any, values: list) -> dict[str, Any]:
    nearest = (
        values.index(control.value)
        if control.value in values
        else min(range(len(values)), key=lambda n: abs(values[n] - control.value))
    )
    return {
        "label": control.description,
        "kind": "choice" if isinstance(control, widgets.Dropdown) else "slider",
        "options": named(control, values),
        "start": nearest,
    }
