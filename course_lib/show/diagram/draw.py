"""A diagram as a figure: the whole, one step, or all steps one below the other.

One unit is one inch on the page, so the letters keep their size in every figure.
"""

from dataclasses import dataclass

import ipywidgets
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.show.diagram.letters import measure, wrap
from course_lib.show.diagram.paint import Look, paint_arrow, paint_node, write
from course_lib.show.diagram.roles import EQUATION, PROSE, TITLE
from course_lib.show.diagram.route import label_place, way
from course_lib.show.diagram.steps import Diagram
from course_lib.show.plots import GREY, INK
from course_lib.show.widgets import explore, slider

WIDEST = 9.5  # inches: the width of a page of the book, and of a slide
MARGIN = 0.12
GAP = 0.4  # between the picture and the text beside it
BETWEEN = 0.3  # between two panels


@dataclass(frozen=True)
class Area:
    """A rectangle of the page, in the coordinates of the diagram."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom


def extent(diagram: Diagram) -> Area:
    """The room of all nodes, arrows and labels."""
    boxes = [node.room for node in diagram.nodes.values()]
    for arrow in diagram.arrows:
        points = way(arrow, diagram)
        boxes += [(*point, *point) for point in points]
        if arrow.label:
            width, height = measure(arrow.label, arrow.letters)
            x, y = label_place(arrow, points, (width, height))
            half = (width / 2, height / 2)
            boxes += [(x - half[0], y - half[1], x + half[0], y + half[1])]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    line = 0.03  # half of the thickest line, which the axes would cut off
    low, high = (min(lefts) - line, min(bottoms) - line), (max(rights), max(tops))
    return Area(*low, high[0] + line, high[1] + line)


@dataclass(frozen=True)
class Line:
    """One line of the text of a step, with the distance of its top from the top."""

    text: str
    points: float
    x: float
    down: float
    bold: bool = False


def step_text(diagram: Diagram, step: int, width: float) -> tuple[list[Line], float]:
    """Title, equation and sentence within a width, and their height together."""
    now = diagram.steps[step - 1]
    head = f"{step}  {now.title}" if len(diagram.steps) > 1 else now.title
    wide, high = measure(head, TITLE, bold=True)
    equations = [line for line in now.equation.split("\n") if line]
    heights = [measure(line, EQUATION)[1] for line in equations]
    if diagram.beside:
        lines, down = [Line(head, TITLE, 0.0, 0.0, bold=True)], high
        for equation, height in zip(equations, heights, strict=True):
            lines.append(Line(equation, EQUATION, 0.0, down + 0.14))
            down += 0.14 + height
    else:  # the equation behind the title, in one line
        down = max([high, *heights])
        lines = [Line(head, TITLE, 0.0, (down - high) / 2, bold=True)]
        for equation, height in zip(equations, heights, strict=True):
            at = (down - height) / 2
            lines.append(Line(equation, EQUATION, wide + 0.4, at))
    said = wrap(now.says, PROSE, width)
    lines.append(Line(said, PROSE, 0.0, down + 0.14))
    return lines, down + 0.14 + measure(said, PROSE)[1]


def _page(diagram: Diagram, step: int | None) -> tuple[Area, float]:
    """The room of a picture with its text, and the room of the text beside it."""
    area = extent(diagram)
    if step is None or not diagram.steps:
        return area, 0.0
    beside = WIDEST - 2 * MARGIN - GAP - area.width
    if diagram.beside:
        needed = max(
            step_text(diagram, k + 1, beside)[1] for k in range(len(diagram.steps))
        )
        more = max(0.0, needed - area.height) / 2
        right = area.right + GAP + beside
        return Area(area.left, area.bottom - more, right, area.top + more), beside
    width = max(area.width, WIDEST - 2 * MARGIN)
    centre = (area.left + area.right) / 2
    high = max(step_text(diagram, k + 1, width)[1] for k in range(len(diagram.steps)))
    left, right = centre - width / 2, centre + width / 2
    return Area(left, area.bottom, right, area.top + high + 0.3), width


def paint(ax: Axes, diagram: Diagram, step: int | None) -> None:
    """Every part of the diagram, as it looks in a step."""
    lit, known = diagram.lit(step), diagram.known(step)
    marks = diagram.steps[step - 1].mark if step else {}
    for node in diagram.nodes.values():
        name = node.name
        paint_node(ax, node, Look(name in lit, name in known, marks.get(name)))
    for arrow in diagram.arrows:
        paint_arrow(ax, arrow, way(arrow, diagram), Look(arrow.name in lit))


def _paint_text(
    ax: Axes, diagram: Diagram, step: int, page: Area, width: float
) -> None:
    """The text of a step: beside the picture, in its middle; or above it."""
    lines, high = step_text(diagram, step, width)
    picture = extent(diagram)
    left = picture.right + GAP if diagram.beside else page.left
    top = (page.top + page.bottom + high) / 2 if diagram.beside else page.top
    for line in lines:
        at = (left + line.x, top - line.down)
        style = {"ha": "left", "va": "top", "weight": "bold" if line.bold else "normal"}
        write(ax, at, line.text, line.points, "text", color=INK, **style)


def _axes(fig: Figure, page: Area, left: float, bottom: float) -> Axes:
    """Axes without a frame, at a place of the figure given in inches."""
    wide, high = fig.get_size_inches()
    place = (left / wide, bottom / high, page.width / wide, page.height / high)
    ax = fig.add_axes(place)
    ax.set(xlim=(page.left, page.right), ylim=(page.bottom, page.top))
    ax.set_axis_off()
    return ax


def draw(diagram: Diagram, step: int | None = None) -> tuple[Figure, str]:
    """The whole mechanism, or one step of it, counted from 1; and its description."""
    page, width = _page(diagram, step)
    size = (page.width + 2 * MARGIN, page.height + 2 * MARGIN)
    fig = plt.figure(figsize=size)
    ax = _axes(fig, page, MARGIN, MARGIN)
    paint(ax, diagram, step)
    if step is not None:
        _paint_text(ax, diagram, step, page, width)
    return fig, diagram.description(step)


def panels(diagram: Diagram) -> tuple[Figure, str]:
    """All steps in one figure, one below the other, with thin lines between them."""
    count = len(diagram.steps)
    if not count:
        raise ValueError(f"{diagram.name} has no steps: use draw")
    page, width = _page(diagram, 1)
    pitch = page.height + BETWEEN
    high = count * pitch - BETWEEN + 2 * MARGIN
    fig = plt.figure(figsize=(page.width + 2 * MARGIN, high))
    for step in range(1, count + 1):
        ax = _axes(fig, page, MARGIN, high - MARGIN - step * pitch + BETWEEN)
        paint(ax, diagram, step)
        _paint_text(ax, diagram, step, page, width)
        if step < count:
            y = page.bottom - BETWEEN / 2
            ends = [page.left, page.right], [y, y]
            ax.plot(*ends, color=GREY, linewidth=0.6, clip_on=False)
    return fig, diagram.description()


def play(diagram: Diagram) -> ipywidgets.Widget:
    """The interactive part: a slider through the steps."""
    steps = slider("step", 1, len(diagram.steps), 1)
    return explore(lambda step: draw(diagram, step), step=steps)
