"""Putting nodes beside each other: every helper returns the node, moved."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from course_lib.show.diagram.model import SIDES, Brace, Frame, Node, Point

Moved = TypeVar("Moved", bound=Node)


def beside(
    anchor: Node, node: Moved, side: str, gap: float = 0.35, shift: float = 0.0
) -> Moved:
    """The node at one side of another: `gap` between borders, `shift` along them."""
    (x, y), (right, up) = anchor.at, SIDES[side]
    across = (anchor.size[0] + node.size[0]) / 2 + gap
    upward = (anchor.size[1] + node.size[1]) / 2 + gap
    along = (shift, 0.0) if up else (0.0, shift)
    return replace(node, at=(x + right * across + along[0], y + up * upward + along[1]))


def right_of(anchor: Node, node: Moved, gap: float = 0.35, shift: float = 0.0) -> Moved:
    return beside(anchor, node, "right", gap, shift)


def left_of(anchor: Node, node: Moved, gap: float = 0.35, shift: float = 0.0) -> Moved:
    return beside(anchor, node, "left", gap, shift)


def above(anchor: Node, node: Moved, gap: float = 0.35, shift: float = 0.0) -> Moved:
    return beside(anchor, node, "top", gap, shift)


def below(anchor: Node, node: Moved, gap: float = 0.35, shift: float = 0.0) -> Moved:
    return beside(anchor, node, "bottom", gap, shift)


def row(nodes: Sequence[Moved], gap: float = 0.35) -> list[Moved]:
    """From left to right; the first stays where it is."""
    placed = list(nodes[:1])
    for node in nodes[1:]:
        placed.append(right_of(placed[-1], node, gap))
    return placed


def column(nodes: Sequence[Moved], gap: float = 0.35) -> list[Moved]:
    """From the bottom upwards; the first stays where it is."""
    placed = list(nodes[:1])
    for node in nodes[1:]:
        placed.append(above(placed[-1], node, gap))
    return placed


def bounds(nodes: Iterable[Node]) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of all nodes together."""
    return _around(node.box for node in nodes)


def rooms(nodes: Iterable[Node]) -> tuple[float, float, float, float]:
    """The same with the captions of tensors."""
    return _around(node.room for node in nodes)


def _around(boxes: Iterable[tuple]) -> tuple[float, float, float, float]:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def frame(
    name: str,
    nodes: Iterable[Node],
    label: str = "",
    pad: float | tuple[float, float, float, float] = 0.2,
    **style,
) -> Frame:
    """A frame around the nodes; pad is one number, or left, bottom, right, top."""
    left, bottom, right, top = rooms(nodes)
    pads = (pad,) * 4 if isinstance(pad, int | float) else pad
    left, bottom = left - pads[0], bottom - pads[1]
    right, top = right + pads[2], top + pads[3]
    centre: Point = ((left + right) / 2, (bottom + top) / 2)
    return Frame(name, label, right - left, top - bottom, at=centre, **style)


def brace(
    name: str,
    nodes: Iterable[Node],
    side: str,
    label: str = "",
    gap: float = 0.07,
    **style,
) -> Brace:
    """A brace along the `side` of the nodes, its tip pointing away from them."""
    left, bottom, right, top = bounds(nodes)
    made = Brace(name, 1.0, side, label, **style)
    upright = side in ("left", "right")
    length = top - bottom if upright else right - left
    x, y = (left + right) / 2, (bottom + top) / 2
    away = gap + made.depth / 2
    places = {"left": (left - away, y), "right": (right + away, y)}
    places |= {"top": (x, top + away), "bottom": (x, bottom - away)}
    return replace(made, length=length, at=places[side])
