"""The parts of a diagram: nodes with a border, and arrows between them.

Everything is frozen and measured in inches; `at` is the centre of a node. `place`
moves nodes, `route` finds the way of an arrow, `steps` tells the story.
"""

from dataclasses import dataclass, field

import numpy as np

from course_lib.show.diagram.letters import measure
from course_lib.show.diagram.roles import CAPTIONS, LETTERS

Point = tuple[float, float]
SIDES = {"left": (-1, 0), "right": (1, 0), "top": (0, 1), "bottom": (0, -1)}
PADDING = (0.24, 0.16)  # around the text of a box, both sides together
BARE = (0.12, 0.08)  # around words without a border


@dataclass(frozen=True)
class Node:
    """Something with a border, where arrows begin and end."""

    name: str
    at: Point = field(default=(0.0, 0.0), kw_only=True)
    role: str = field(default="plain", kw_only=True)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        raise NotImplementedError

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top."""
        (x, y), (w, h) = self.at, self.size
        return x - w / 2, y - h / 2, x + w / 2, y + h / 2

    @property
    def room(self) -> tuple[float, float, float, float]:
        """The box together with what is written outside of it."""
        return self.box

    def edge(self, side: str, share: float = 0.5) -> Point:
        """A point of the border: `share` of the way up, or to the right."""
        left, bottom, right, top = self.box
        x, y = left + share * (right - left), bottom + share * (top - bottom)
        places = {"left": (left, y), "right": (right, y)}
        return (places | {"top": (x, top), "bottom": (x, bottom)})[side]


@dataclass(frozen=True)
class Box(Node):
    """A rounded box with a text; as large as its text unless a size is given.

    role="bare" draws the words alone.
    """

    text: str = ""
    wide: float | None = field(default=None, kw_only=True)
    high: float | None = field(default=None, kw_only=True)

    @property
    def letters(self) -> float:
        return letters(self.text)

    @property
    def size(self) -> tuple[float, float]:
        width, height = measure(self.text, self.letters)
        extra = BARE if self.role == "bare" else PADDING
        return self.wide or width + extra[0], self.high or height + extra[1]


@dataclass(frozen=True)
class Op(Node):
    """A circle with one sign in it: times, plus, or a short word such as tanh."""

    sign: str = "×"
    radius: float = field(default=0.16, kw_only=True)

    @property
    def size(self) -> tuple[float, float]:
        return 2 * self.radius, 2 * self.radius


@dataclass(frozen=True)
class Captioned(Node):
    """A node with words outside of its border, at one of its sides."""

    @property
    def caption(self) -> str:
        raise NotImplementedError

    @property
    def caption_side(self) -> str:
        raise NotImplementedError

    @property
    def letters(self) -> float:
        return letters(self.caption)

    @property
    def caption_at(self) -> Point:
        """The centre of the caption."""
        width, height = measure(self.caption, self.letters)
        x, y = self.edge(self.caption_side)
        right, up = SIDES[self.caption_side]
        return x + right * (0.08 + width / 2), y + up * (0.07 + height / 2)

    @property
    def room(self) -> tuple[float, float, float, float]:
        if not self.caption:
            return self.box
        (x, y), (width, height) = self.caption_at, measure(self.caption, self.letters)
        left, bottom, right, top = self.box
        return (
            min(left, x - width / 2),
            min(bottom, y - height / 2),
            max(right, x + width / 2),
            max(top, y + height / 2),
        )


@dataclass(frozen=True)
class Tensor(Captioned):
    """A grid of cells with a label and its shape; a vector is a column.

    shape    what is written after the label, such as $(N, d_q)$; "" writes nothing
    side     where the label stands: above, below, left or right of the grid
    numbers  write the values into the cells; integers without digits after the point
    shaded   colour the cells by their values even where no numbers are written
    limit    the value with the strongest colour; the largest of the tensor if None
    """

    values: np.ndarray = field(default_factory=lambda: np.zeros((1, 1)), compare=False)
    label: str = field(default="", kw_only=True)
    shape: str = field(default="", kw_only=True)
    side: str = field(default="top", kw_only=True)
    cell: tuple[float, float] = field(default=(0.56, 0.28), kw_only=True)
    numbers: bool = field(default=True, kw_only=True)
    shaded: bool = field(default=False, kw_only=True)
    limit: float | None = field(default=None, kw_only=True)

    @property
    def grid(self) -> np.ndarray:
        """The values as rows and columns."""
        values = np.asarray(self.values, dtype=float)
        return values[:, None] if values.ndim == 1 else values

    @property
    def size(self) -> tuple[float, float]:
        rows, columns = self.grid.shape
        return columns * self.cell[0], rows * self.cell[1]

    @property
    def caption(self) -> str:
        """Label and shape; one below the other where the label stands at a side."""
        apart = " " if self.side in ("top", "bottom") else "\n"
        return apart.join(text for text in (self.label, self.shape) if text)

    @property
    def caption_side(self) -> str:
        return self.side


@dataclass(frozen=True)
class Frame(Node):
    """A rounded frame around other nodes, with a label at one of its corners.

    Made by `place.frame`. corner  "top left", "top right", "bottom left", ...
    """

    label: str = ""
    wide: float = 1.0
    high: float = 1.0
    corner: str = field(default="top left", kw_only=True)

    @property
    def size(self) -> tuple[float, float]:
        return self.wide, self.high


@dataclass(frozen=True)
class Brace(Captioned):
    """A curly brace along one side of other nodes; its tip is its border.

    Made by `place.brace`. opens  the side on which the tip stands
    """

    length: float = 1.0
    opens: str = "right"
    label: str = ""
    depth: float = field(default=0.16, kw_only=True)

    @property
    def size(self) -> tuple[float, float]:
        across = self.opens in ("left", "right")
        return (self.depth, self.length) if across else (self.length, self.depth)

    @property
    def caption(self) -> str:
        return self.label

    @property
    def caption_side(self) -> str:
        return self.opens


@dataclass(frozen=True)
class Arrow:
    """From the border of one node to the border of another.

    start, end  a node's name, "name.side", or "name.side:0.3" for a share of that side
    bend        where a way with corners turns: the x of its upright part if it
                starts or ends sideways, the y of its level part otherwise
    via         corners given by hand instead
    straight    no corners at all, whatever the direction
    at, beside  the share of the longest part at which the label stands, and its side
    """

    start: str | Point
    end: str | Point
    label: str = ""
    role: str = field(default="plain", kw_only=True)
    bend: float | None = field(default=None, kw_only=True)
    via: tuple[Point, ...] = field(default=(), kw_only=True)
    straight: bool = field(default=False, kw_only=True)
    at: float = field(default=0.5, kw_only=True)
    beside: str | None = field(default=None, kw_only=True)

    @property
    def name(self) -> str:
        return f"{owner(self.start)}>{owner(self.end)}"

    @property
    def letters(self) -> float:
        return letters(self.label)


def letters(text: str) -> float:
    """Points; a formula's letters are small for their size."""
    return CAPTIONS if text.startswith("$") else LETTERS


def owner(end: str | Point) -> str:
    """The node's name in "name.side:share"."""
    return end.split(".")[0] if isinstance(end, str) else str(end)
