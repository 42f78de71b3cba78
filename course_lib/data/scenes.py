r"""Small pictures of coloured shapes, with a caption and the position of every object.

Data: generated here from a seed; nothing is downloaded and no licence applies.

A scene holds one object or two. The caption names the colour and the shape, and of two
objects which is left of, or above, the other: "a red square left of a blue ring". The
left one (or the upper one) is named first, so every picture has one right caption.
Because the positions are kept, one can ask where a model looked when it said "ring".
Introduced in lecture 08b.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_lib.data.vocabulary import Vocabulary

SIZE = 24  # pixels on a side
RADIUS = 4.0
COLOURS = {
    "red": (0.9, 0.1, 0.1),
    "green": (0.0, 0.65, 0.2),
    "blue": (0.1, 0.3, 0.95),
    "yellow": (0.95, 0.85, 0.1),
}
SHAPES = ("square", "ring", "triangle")
RELATIONS = {"left of": (1.0, 0.0), "above": (0.0, 1.0)}  # from the first to the second
WORDS = ("a", *COLOURS, *SHAPES, "left", "of", "above")
VOCABULARY = Vocabulary(WORDS)


@dataclass(frozen=True)
class Thing:
    """An object: what it is, and its centre in pixels from the top left corner."""

    colour: str
    shape: str
    x: float
    y: float

    @property
    def words(self) -> tuple[str, ...]:
        return ("a", self.colour, self.shape)


@dataclass(frozen=True)
class Scenes:
    """Pictures with captions; entry n of each belongs together."""

    images: Tensor  # (count, 3, SIZE, SIZE) in 0..1, white background
    captions: tuple[tuple[str, ...], ...]
    rows: Tensor  # (count, longest) the captions as token ids
    things: tuple[tuple[Thing, ...], ...]

    def __len__(self) -> int:
        return len(self.captions)


def inside(shape: str, dx: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """Which pixels belong to a shape; dx, dy are distances from its centre."""
    if shape == "square":
        return np.maximum(abs(dx), abs(dy)) <= 0.9 * RADIUS
    if shape == "ring":
        return (np.hypot(dx, dy) >= 0.5 * RADIUS) & (np.hypot(dx, dy) <= RADIUS)
    if shape == "triangle":  # its tip at the top
        return (abs(dy) <= RADIUS) & (abs(dx) <= (dy + RADIUS) / 2)
    raise ValueError(f"shape {shape!r} is not among {SHAPES}")


def draw(things: tuple[Thing, ...]) -> np.ndarray:
    """The picture: (3, SIZE, SIZE), float32, white where there is nothing."""
    row, column = np.mgrid[:SIZE, :SIZE] + 0.5
    picture = np.ones((3, SIZE, SIZE), dtype=np.float32)
    for thing in things:
        where = inside(thing.shape, column - thing.x, row - thing.y)
        picture[:, where] = np.array(COLOURS[thing.colour], dtype=np.float32)[:, None]
    return picture


def scene(rng: np.random.Generator) -> tuple[tuple[Thing, ...], tuple[str, ...]]:
    """Draw the objects of one scene, and say what there is to see."""

    def thing(x: float, y: float) -> Thing:
        colours = list(COLOURS)
        colour = colours[rng.integers(len(colours))]
        return Thing(colour, SHAPES[rng.integers(len(SHAPES))], x, y)

    low, high = RADIUS + 0.5, SIZE - RADIUS - 0.5
    if rng.random() < 0.25:
        only = thing(*rng.uniform(low, high, 2))
        return (only,), only.words
    relation = list(RELATIONS)[rng.integers(len(RELATIONS))]
    near, far = rng.uniform(low, low + 2), rng.uniform(high - 2, high)
    across, shift = rng.uniform(low + 2, high - 2), rng.uniform(-2, 2)
    centres = [(near, across), (far, across + shift)]
    if relation == "above":
        centres = [(y, x) for x, y in centres]
    first, second = (thing(*centre) for centre in centres)
    return (first, second), (*first.words, *relation.split(), *second.words)


def load(seed: int = 0, count: int = 2_000) -> Scenes:
    """`count` scenes, the same bytes for the same seed."""
    if count < 1:
        raise ValueError(f"count must be at least 1, got {count}")
    rng = np.random.default_rng(seed)
    things, captions = zip(*(scene(rng) for _ in range(count)), strict=True)
    images = torch.from_numpy(np.stack([draw(each) for each in things]))
    return Scenes(images, captions, VOCABULARY.rows(captions), things)
