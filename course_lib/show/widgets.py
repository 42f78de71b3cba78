"""Interactive parts: a drawing function, a few controls, one picture that follows them.

An interactive part of a lecture is three things:

1. a pure function from parameters to arrays,
2. a pure function that draws those arrays: `draw(**values) -> (figure, description)`,
3. `explore(draw, **controls)`, the thin layer in this file.

The notebook shows `draw(...)` as an ordinary figure first, so that a reader without a
running kernel loses nothing, and the controls after it.
"""

import base64
import html
from collections.abc import Callable, Iterable, Mapping

import ipywidgets as widgets
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from course_lib.show import frames
from course_lib.show.plots import png

STYLE = {"description_width": "initial"}
WIDE = widgets.Layout(width="420px")


def slider(
    label: str, low: float, high: float, start: float, step: float | None = None
) -> widgets.ValueWidget:
    """A slider; whole numbers when low, high and start are whole."""
    whole = all(isinstance(v, int) for v in (low, high, start))
    make = widgets.IntSlider if whole else widgets.FloatSlider
    step = step or (1 if whole else (high - low) / 100)
    return make(
        value=start,
        min=low,
        max=high,
        step=step,
        description=label,
        continuous_update=False,
        style=STYLE,
        layout=WIDE,
    )


def choice(label: str, options: list) -> widgets.ValueWidget:
    """A drop-down list; the first option is chosen at the start."""
    return widgets.Dropdown(
        options=options, description=label, style=STYLE, layout=WIDE
    )


def picture(fig: Figure, description: str) -> str:
    """A figure as an HTML image with alternative text; closes the figure."""
    data = base64.b64encode(png(fig)).decode()
    plt.close(fig)
    alt = html.escape(description, quote=True)
    return (
        f'<img src="data:image/png;base64,{data}" alt="{alt}" style="max-width:100%">'
    )


def explore(
    draw: Callable,
    *,
    web: Mapping[str, Iterable] | None = None,
    **controls: widgets.ValueWidget,
) -> widgets.VBox:
    """Controls above a picture that is drawn anew whenever one of them moves.

    The web edition shows pictures drawn in advance; `web` may say for which values of a
    control, as in web={"w": [0.5, 1.0, 1.5]}. frames.py chooses the others.

    An exception inside a widget callback is invisible in JupyterLab, so it is caught
    here and shown, in red, in place of the picture.
    """
    if folder := frames.wanted():
        frames.write(folder, draw, controls, web)
    screen = widgets.HTML()

    def redraw(_change: dict | None = None) -> None:
        values = {name: control.value for name, control in controls.items()}
        try:
            screen.value = picture(*draw(**values))
        except Exception as error:
            message = html.escape(f"{type(error).__name__}: {error}")
            screen.value = (
                f'<pre class="explore-error" style="color:#b00">{message}</pre>'
            )

    for control in controls.values():
        control.observe(redraw, names="value")
    redraw()
    box = widgets.VBox([*controls.values(), screen])
    box.add_class("explore")
    return box
