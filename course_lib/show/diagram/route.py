"""The way of an arrow: from border to border, level and upright, with few corners.

Two nodes that face each other are joined by a straight line, at the middle of the
smaller one. Otherwise the sides at which the arrow starts and ends say how it turns.
Arrows that start at the same point share their way until they part: that is how one
line feeds several nodes.
"""

from itertools import pairwise

from course_lib.show.diagram.model import Arrow, Node, Point
from course_lib.show.diagram.steps import Diagram

STUB = 0.17  # how far an arrow leaves a border before it turns towards its bend
LEVEL = ("left", "right")


def way(arrow: Arrow, diagram: Diagram) -> list[Point]:
    """The corners of an arrow, its two ends included."""
    if not isinstance(arrow.start, str) or not isinstance(arrow.end, str):
        ends = [_point(end, diagram) for end in (arrow.start, arrow.end)]
        return [ends[0], *arrow.via, ends[1]]
    a, side_a, share_a = _end(arrow.start, diagram)
    b, side_b, share_b = _end(arrow.end, diagram)
    guess_a, guess_b = _sides(a, b, bool(side_a or side_b))
    side_a, side_b = side_a or guess_a, side_b or guess_b
    first = a.edge(side_a, 0.5 if share_a is None else share_a)
    last = b.edge(side_b, 0.5 if share_b is None else share_b)
    if arrow.via or arrow.straight:
        return [first, *arrow.via, last]
    if (side_a in LEVEL) == (side_b in LEVEL) and arrow.bend is None:
        aligned = _aligned(a, b, side_a, share_a, share_b, first, last)
        if aligned:
            return aligned
    return _clean(_turn(first, last, side_a, side_b, arrow.bend))


def _end(end: str, diagram: Diagram) -> tuple[Node, str | None, float | None]:
    """The node, the side and the share of "name.side:share"."""
    name, _, rest = end.partition(".")
    side, _, share = rest.partition(":")
    if name not in diagram.nodes:
        raise ValueError(f"{diagram.name}: an arrow names {name!r}, which is no node")
    return diagram.nodes[name], side or None, float(share) if share else None


def _point(end: str | Point, diagram: Diagram) -> Point:
    """An end given as a point is taken as it is; `check` looks where it lies."""
    if not isinstance(end, str):
        return end
    node, side, share = _end(end, diagram)
    return node.edge(side or "right", 0.5 if share is None else share)


def _sides(a: Node, b: Node, one_given: bool) -> tuple[str, str]:
    """The sides that look at each other; from the corner, sideways and then up."""
    (left_a, low_a, right_a, high_a), (left_b, low_b, right_b, high_b) = a.box, b.box
    right, up = b.at[0] > a.at[0], b.at[1] > a.at[1]
    level = ("right", "left") if right else ("left", "right")
    upright = ("top", "bottom") if up else ("bottom", "top")
    if min(right_a, right_b) > max(left_a, left_b):
        return upright
    if one_given or min(high_a, high_b) > max(low_a, low_b):
        return level
    return level[0], upright[1]


def _aligned(
    a: Node,
    b: Node,
    side: str,
    share_a: float | None,
    share_b: float | None,
    first: Point,
    last: Point,
) -> list[Point] | None:
    """A straight way between opposite sides, moved to the middle of the smaller one."""
    axis = 1 if side in LEVEL else 0
    low, high = (1, 3) if axis else (0, 2)
    small, other = (a, b) if a.size[axis] <= b.size[axis] else (b, a)
    middle = small.at[axis]
    if share_a is not None:
        middle = first[axis]
    if share_b is not None:
        middle = last[axis]
    if share_a is not None and share_b is not None and first[axis] != last[axis]:
        return None
    for node in (small, other):
        if not node.box[low] - 1e-9 <= middle <= node.box[high] + 1e-9:
            return None
    if axis:
        return [(first[0], middle), (last[0], middle)]
    return [(middle, first[1]), (middle, last[1])]


def _turn(
    first: Point, last: Point, side_a: str, side_b: str, bend: float | None
) -> list[Point]:
    """Corners for sides that do not face each other in a line."""
    (x0, y0), (x1, y1) = first, last
    level_a, level_b = side_a in LEVEL, side_b in LEVEL
    if level_a and level_b:
        middle = _middle(x0, x1, side_a, side_b, bend)
        return [first, (middle, y0), (middle, y1), last]
    if not level_a and not level_b:
        middle = _middle(y0, y1, side_a, side_b, bend)
        return [first, (x0, middle), (x1, middle), last]
    if level_a:
        if bend is None:
            return [first, (x1, y0), last]
        stub = y1 + (STUB if side_b == "top" else -STUB)
        return [first, (bend, y0), (bend, stub), (x1, stub), last]
    if bend is None:
        return [first, (x0, y1), last]
    stub = y0 + (STUB if side_a == "top" else -STUB)
    return [first, (x0, stub), (bend, stub), (bend, y1), last]


def _middle(
    start: float, end: float, side_a: str, side_b: str, bend: float | None
) -> float:
    """Halfway; outside of both where the arrow leaves and arrives at the same side."""
    if bend is not None:
        return bend
    if side_a != side_b:
        return (start + end) / 2
    outer = max if side_a in ("right", "top") else min
    return outer(start, end) + (0.3 if outer is max else -0.3)


def _clean(points: list[Point]) -> list[Point]:
    """Without points that repeat the one before."""
    kept = points[:1]
    for point in points[1:]:
        if max(abs(point[0] - kept[-1][0]), abs(point[1] - kept[-1][1])) > 1e-9:
            kept.append(point)
    return kept


def label_place(arrow: Arrow, points: list[Point], size: tuple[float, float]) -> Point:
    """The centre of an arrow's label: beside the longest part of its way."""
    parts = list(pairwise(points))
    (x0, y0), (x1, y1) = max(parts, key=lambda p: _length(*p))
    x, y = x0 + arrow.at * (x1 - x0), y0 + arrow.at * (y1 - y0)
    level = abs(x1 - x0) >= abs(y1 - y0)
    side = arrow.beside or ("top" if level else "right")
    away = {"top": (0, 1), "bottom": (0, -1), "right": (1, 0), "left": (-1, 0)}[side]
    gap = 0.07
    return x + away[0] * (size[0] / 2 + gap), y + away[1] * (size[1] / 2 + gap)


def _length(a: Point, b: Point) -> float:
    return abs(b[0] - a[0]) + abs(b[1] - a[1])
