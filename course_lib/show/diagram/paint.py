"""How each kind of node, and an arrow, is put on the axes."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import (
    Circle,
    FancyArrowPatch,
    FancyBboxPatch,
    PathPatch,
    Rectangle,
)
from matplotlib.path import Path

from course_lib.show.diagram.letters import LINE, MATHS, measure
from course_lib.show.diagram.model import (
    Arrow,
    Box,
    Brace,
    Captioned,
    Frame,
    Node,
    Op,
    Point,
    Tensor,
)
from course_lib.show.diagram.roles import (
    ASLEEP_EDGE,
    ASLEEP_FILL,
    ASLEEP_INK,
    CELLS,
    FRAME,
    GRID,
    LETTERS,
    NUMBERS,
    colour_of,
    tint,
)
from course_lib.show.diagram.route import label_place
from course_lib.show.plots import INK

CORNER = 0.12  # radius of a turn of an arrow
Mark = tuple[int | None, int | None]


@dataclass(frozen=True)
class Look:
    """How a part appears in one step."""

    lit: bool = True
    known: bool = True  # its numbers have been computed by now
    mark: Mark | None = None

    def edge(self, role: str) -> str:
        return colour_of(role) if self.lit else ASLEEP_EDGE

    def fill(self, role: str, share: float = 0.2) -> str:
        if not self.lit:
            return ASLEEP_FILL
        return "white" if role == "plain" else tint(colour_of(role), share)

    @property
    def ink(self) -> str:
        return INK if self.lit else ASLEEP_INK


def write(ax: Axes, at: Point, text: str, points: float, name: str, **style) -> None:
    """A text around a point; its name says in `check` to which part it belongs."""
    placing = {"ha": "center", "va": "center", "linespacing": LINE} | style
    artist = ax.text(*at, text, fontsize=points, zorder=4, **placing)
    artist.set_math_fontfamily(MATHS)
    artist.set_gid(name)


def paint_node(ax: Axes, node: Node, look: Look) -> None:
    """Paint a node of any kind."""
    match node:
        case Box():
            _paint_box(ax, node, look)
        case Op():
            _paint_op(ax, node, look)
        case Tensor():
            _paint_tensor(ax, node, look)
        case Frame():
            _paint_frame(ax, node, look)
        case Brace():
            _paint_brace(ax, node, look)
        case _:
            raise TypeError(f"{node.name} is a {type(node).__name__}: no such picture")


def _paint_box(ax: Axes, node: Box, look: Look) -> None:
    if node.role != "bare":
        _rounded(ax, node, look.fill(node.role), look.edge(node.role), 1.6, 2)
    write(ax, node.at, node.text, node.letters, node.name, color=look.ink)


def _rounded(
    ax: Axes, node: Node, fill: str, edge: str, line: float, zorder: float
) -> None:
    """A rounded rectangle whose outside is exactly the node's border."""
    left, bottom, right, top = node.box
    radius = min(0.1, (right - left) / 3, (top - bottom) / 3)
    patch = FancyBboxPatch(
        (left, bottom),
        right - left,
        top - bottom,
        boxstyle=f"round,pad=0,rounding_size={radius}",
        facecolor=fill,
        edgecolor=edge,
        linewidth=line,
        zorder=zorder,
    )
    ax.add_patch(patch)


def _paint_op(ax: Axes, node: Op, look: Look) -> None:
    style = {"facecolor": look.fill(node.role), "edgecolor": look.edge(node.role)}
    ax.add_patch(Circle(node.at, node.radius, linewidth=1.6, zorder=2, **style))
    points = LETTERS + 2 if len(node.sign) == 1 else NUMBERS
    write(ax, node.at, node.sign, points, node.name, color=look.ink)


def _paint_tensor(ax: Axes, node: Tensor, look: Look) -> None:
    grid, (wide, high) = node.grid, node.cell
    left, _, _, top = node.box
    limit = node.limit or float(np.abs(grid).max()) or 1.0
    digits = 0 if np.issubdtype(np.asarray(node.values).dtype, np.integer) else 2
    for (r, c), value in np.ndenumerate(grid):
        strength = np.interp(abs(value) / limit, (0, 1), CELLS)
        share = strength if node.numbers or node.shaded else 0.4
        fill = look.fill(node.role, share if look.known else 0.1)
        corner = (left + c * wide, top - (r + 1) * high)
        line = "white" if to_rgb(fill) != (1, 1, 1) else GRID
        style = {"facecolor": fill, "edgecolor": line, "linewidth": 1, "zorder": 2}
        ax.add_patch(Rectangle(corner, wide, high, **style))
        if node.numbers and look.known:
            centre = (corner[0] + wide / 2, corner[1] + high / 2)
            text = number(value, digits)
            write(ax, centre, text, NUMBERS, node.name, color=look.ink)
    _outline(ax, node, (None, None), look.edge(node.role), 1.6)
    if look.mark:
        _outline(ax, node, look.mark, INK, 2.6)
    _write_caption(ax, node, look)


def _write_caption(ax: Axes, node: Captioned, look: Look) -> None:
    if node.caption:
        style = {"color": look.ink}
        write(ax, node.caption_at, node.caption, node.letters, node.name, **style)


def number(value: float, digits: int = 2) -> str:
    """Digits after the point, with a real minus sign and no minus zero."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def _outline(ax: Axes, node: Tensor, mark: Mark, colour: str, line: float) -> None:
    """A line around some cells; None stands for all rows or all columns."""
    (rows, columns), (wide, high) = node.grid.shape, node.cell
    left, _, _, top = node.box
    r, c = mark
    x, w = (left, columns * wide) if c is None else (left + c * wide, wide)
    y, h = (top, rows * high) if r is None else (top - r * high, high)
    around = Rectangle((x, y - h), w, h, fill=False, edgecolor=colour, lw=line)
    around.set_zorder(3)
    ax.add_patch(around)


def _paint_frame(ax: Axes, node: Frame, look: Look) -> None:
    inside, line = (tint(colour_of(node.role), share) for share in FRAME)
    _rounded(ax, node, inside, line if look.lit else ASLEEP_EDGE, 1.4, 0)
    if node.label:
        high, wide = node.corner.split()
        left, bottom, right, top = node.box
        width, height = measure(node.label, LETTERS, bold=True)
        x = left + 0.1 + width / 2 if wide == "left" else right - 0.1 - width / 2
        y = top - 0.09 - height / 2 if high == "top" else bottom + 0.09 + height / 2
        style = {"color": look.ink, "weight": "bold"}
        write(ax, (x, y), node.label, LETTERS, node.name, **style)


def _paint_brace(ax: Axes, node: Brace, look: Look) -> None:
    """Four quarter circles and two straight pieces, turned to where it opens."""
    half, deep = node.length / 2, node.depth / 2
    curve = min(deep, half / 2)
    side = [(-deep, half), (0, half), (0, half - curve), (0, curve), (0, 0), (deep, 0)]
    points = [*side, *((x, -y) for x, y in reversed(side[:-1]))]
    turned = [_turned(point, node.opens) for point in points]
    vertices = [(x + node.at[0], y + node.at[1]) for x, y in turned]
    codes = [Path.MOVETO, 3, 3, Path.LINETO, 3, 3, 3, 3, Path.LINETO, 3, 3]
    line = {"edgecolor": look.edge(node.role), "linewidth": 1.6, "fill": False}
    ax.add_patch(PathPatch(Path(vertices, codes), zorder=2, **line))
    _write_caption(ax, node, look)


def _turned(point: Point, opens: str) -> Point:
    x, y = point
    turns = {"right": (x, y), "left": (-x, y), "top": (y, x), "bottom": (y, -x)}
    return turns[opens]


def paint_arrow(ax: Axes, arrow: Arrow, points: list[Point], look: Look) -> None:
    """The way with rounded corners, a head at its end, its label beside it."""
    patch = FancyArrowPatch(
        path=rounded(points),
        arrowstyle="-|>,head_length=0.42,head_width=0.2",
        mutation_scale=14,
        color=look.edge(arrow.role),
        linewidth=2.0 if look.lit else 1.4,
        zorder=1.5 if look.lit else 1,
        capstyle="round",
        joinstyle="miter",
    )
    ax.add_patch(patch)
    if arrow.label:
        at = label_place(arrow, points, measure(arrow.label, arrow.letters))
        write(ax, at, arrow.label, arrow.letters, arrow.name, color=look.ink)


def rounded(points: list[Point]) -> Path:
    """A path through the points that turns on small arcs."""
    vertices, codes = [points[0]], [Path.MOVETO]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        vertices += [_towards(corner, before), corner, _towards(corner, after)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, points[-1]], [*codes, Path.LINETO])


def _towards(corner: Point, other: Point) -> Point:
    """The point where the arc of a corner begins, at most halfway to the other."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    share = min(CORNER / (abs(dx) + abs(dy) or 1), 0.5)
    return corner[0] + share * dx, corner[1] + share * dy
