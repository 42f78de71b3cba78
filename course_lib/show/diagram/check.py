"""What a careful eye would find: labels that overlap, arrows in the way of others.

`problems(diagram)` draws the whole and every step and measures what was rendered, so
it sees what the reader sees.
"""

from collections.abc import Iterator
from itertools import combinations, pairwise

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.text import Text

from course_lib.show.diagram.draw import MARGIN, WIDEST, draw
from course_lib.show.diagram.model import (
    Arrow,
    Brace,
    Captioned,
    Frame,
    Node,
    Point,
    owner,
)
from course_lib.show.diagram.roles import NUMBERS
from course_lib.show.diagram.route import way
from course_lib.show.diagram.steps import Diagram

Rectangle = tuple[float, float, float, float]  # left, bottom, right, top
Texts = list[tuple[Text, Rectangle]]
SLACK = 0.015  # inches that nobody sees
SHORTEST = 0.1  # inches: a shorter part of an arrow is a wriggle


def problems(diagram: Diagram) -> list[str]:
    """Everything that is wrong with a diagram; an empty list if it is well drawn."""
    found = [*_arrow_problems(diagram), *_node_problems(diagram)]
    found += _drawn_problems(diagram, None)
    for step in range(1, len(diagram.steps) + 1):
        more = _drawn_problems(diagram, step)
        found += [f"step {step}: {line}" for line in more if line not in found]
    return list(dict.fromkeys(found))


def _drawn_problems(diagram: Diagram, step: int | None) -> list[str]:
    """What is wrong with one picture as it was rendered."""
    fig, _ = draw(diagram, step)
    texts = _texts(fig)
    found = [*_page_problems(fig, texts), *_text_problems(diagram, texts)]
    plt.close(fig)
    return found


def _texts(fig: Figure) -> Texts:
    """Every text with its rendered extent, in the coordinates of the diagram."""
    found = []
    for ax in fig.axes:
        back = ax.transData.inverted()
        for text in ax.texts:
            extent = text.get_window_extent()
            (left, bottom), (right, top) = back.transform(extent.get_points())
            found.append((text, (left, bottom, right, top)))
    return found


def _page_problems(fig: Figure, texts: Texts) -> Iterator[str]:
    """Letters too small for a slide, texts cut off, a figure wider than the page."""
    if fig.get_size_inches()[0] > WIDEST + SLACK:
        yield f"the figure is {fig.get_size_inches()[0]:.1f} inches wide"
    left, right = fig.axes[0].get_xlim()
    bottom, top = fig.axes[0].get_ylim()
    margin = MARGIN / 3  # a little of the white border around the axes
    page = (left - margin, bottom - margin, right + margin, top + margin)
    for text, box in texts:
        if not _inside(box, page):
            yield f"{_quoted(text)} is cut off"
        if float(text.get_fontsize()) < NUMBERS:
            yield f"{_quoted(text)} is too small to read"


def _text_problems(diagram: Diagram, texts: Texts) -> Iterator[str]:
    """Texts over each other, over a foreign node, or under an arrow."""
    for (one, box), (other, second) in combinations(texts, 2):
        if _overlap(box, second):
            yield f"{_quoted(one)} and {_quoted(other)} overlap"
    for text, box in texts:
        for node in diagram.nodes.values():
            if text.get_gid() == node.name and _holds(node, text):
                if not _inside(box, node.box):
                    yield f"{_quoted(text)} does not fit into {node.name}"
            elif _solid(node) and _overlap(box, node.box):
                yield f"{_quoted(text)} lies on {node.name}"
            elif isinstance(node, Frame) and _on_border(box, node.box):
                yield f"{_quoted(text)} lies on the border of {node.name}"
        for arrow in diagram.arrows:
            if _passes(way(arrow, diagram), box):
                yield f"{arrow.name} runs through {_quoted(text)}"


def _holds(node: Node, text: Text) -> bool:
    """Whether this text of the node stands inside it."""
    return not isinstance(node, Captioned) or text.get_text() != node.caption


def _solid(node: Node) -> bool:
    return not isinstance(node, Frame)


def _node_problems(diagram: Diagram) -> Iterator[str]:
    """Nodes that overlap; a frame may hold others, but not cut them."""
    for one, other in combinations(diagram.nodes.values(), 2):
        if _solid(one) and _solid(other):
            if _overlap(one.box, other.box):
                yield f"{one.name} and {other.name} overlap"
        elif _overlap(one.box, other.box) and not (
            _inside(one.box, other.box) or _inside(other.box, one.box)
        ):
            yield f"the borders of {one.name} and {other.name} cross"


def _arrow_problems(diagram: Diagram) -> Iterator[str]:
    """Loose ends, ways through foreign nodes, wriggles, and arrows that cross."""
    ways = {id(arrow): way(arrow, diagram) for arrow in diagram.arrows}
    for arrow in diagram.arrows:
        points = ways[id(arrow)]
        for end, point in ((arrow.start, points[0]), (arrow.end, points[-1])):
            if not any(_touches(point, node) for node in diagram.nodes.values()):
                yield f"{arrow.name} ends at {end}, on no border"
        for node in diagram.nodes.values():
            if _solid(node) and _passes(points, node.box):
                yield f"{arrow.name} runs through {node.name}"
        if any(_length(*part) < SHORTEST for part in _parts(points)):
            yield f"{arrow.name} has a part shorter than {SHORTEST} inches"
    for one, other in combinations(diagram.arrows, 2):
        if not _share_an_end(one, other) and _cross(ways[id(one)], ways[id(other)]):
            yield f"{one.name} and {other.name} cross"


def _share_an_end(one: Arrow, other: Arrow) -> bool:
    """Arrows from one node, or into one node, may share a part of their way."""
    same_start = owner(one.start) == owner(other.start)
    return same_start or owner(one.end) == owner(other.end)


def _touches(point: Point, node: Node) -> bool:
    """Whether a point lies on the border of a node, or on the tip of a brace."""
    if isinstance(node, Brace):
        tip = node.edge(node.opens)
        return max(abs(tip[0] - point[0]), abs(tip[1] - point[1])) < SLACK
    left, bottom, right, top = node.box
    x, y = point
    if not (left - SLACK < x < right + SLACK and bottom - SLACK < y < top + SLACK):
        return False
    return min(abs(x - left), abs(x - right), abs(y - bottom), abs(y - top)) < SLACK


def _parts(points: list[Point]) -> list[tuple[Point, Point]]:
    return list(pairwise(points))


def _length(a: Point, b: Point) -> float:
    return ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5


def _passes(points: list[Point], box: Rectangle) -> bool:
    """Whether a way enters the inside of a rectangle (its border is no inside)."""
    left, bottom, right, top = box
    inner = (left + SLACK, bottom + SLACK, right - SLACK, top - SLACK)
    return any(_enters(a, b, inner) for a, b in _parts(points))


def _enters(a: Point, b: Point, box: Rectangle) -> bool:
    """Liang and Barsky: the share of a line that lies within all four sides."""
    first, last = 0.0, 1.0
    for axis, low, high in ((0, box[0], box[2]), (1, box[1], box[3])):
        start, move = a[axis], b[axis] - a[axis]
        if abs(move) < 1e-12:
            if not low < start < high:
                return False
            continue
        enter, leave = sorted(((low - start) / move, (high - start) / move))
        first, last = max(first, enter), min(last, leave)
    return first < last


def _cross(one: list[Point], other: list[Point]) -> bool:
    """Whether two ways meet anywhere."""
    return any(_meet(*p, *q) for p in _parts(one) for q in _parts(other))


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Two lines, each thickened to a rectangle if level or upright."""
    thin = (min(c[0], d[0]), min(c[1], d[1]), max(c[0], d[0]), max(c[1], d[1]))
    thick = (thin[0] - SLACK, thin[1] - SLACK, thin[2] + SLACK, thin[3] + SLACK)
    if c[0] == d[0] or c[1] == d[1]:
        return _enters(a, b, thick)
    turns = [_turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)]
    return turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > SLACK and high > SLACK


def _inside(inner: Rectangle, outer: Rectangle) -> bool:
    low = inner[0] > outer[0] - SLACK and inner[1] > outer[1] - SLACK
    return low and inner[2] < outer[2] + SLACK and inner[3] < outer[3] + SLACK


def _on_border(text: Rectangle, frame: Rectangle) -> bool:
    return _overlap(text, frame) and not _inside(text, frame)


def _quoted(text: Text) -> str:
    return repr(text.get_text().split("\n")[0])
