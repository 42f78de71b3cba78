"""Short films of one moving square, which somebody covers for a while.

Data: generated here from a seed; nothing is downloaded and no licence applies.

The square is dim or bright, of varying size, and flies like a ball between walls. In
every film four frames are covered: these pictures are black. The label of a frame
holds the bounding box (left, bottom, right, top, between 0 and 1) and the kind,
0 for dim and 1 for bright; it is there for covered frames, too. Introduced in
lecture 01.
"""

from dataclasses import dataclass

import numpy as np

from course_lib.data import balls

SIZE = (0.24, 0.44)  # of the square
SPEED = (0.04, 0.12)  # of the square's path, before it is shrunk to fit
DIM = 0.4


@dataclass(frozen=True)
class Films:
    """pictures (films, T, pixels²), labels (films, T, 5), covered (films, T) of bool"""

    pictures: np.ndarray
    labels: np.ndarray
    covered: np.ndarray


def load(
    count: int,
    seed: int = 0,
    first: int = 0,
    frames: int = 16,
    pixels: int = 10,
    covered: int = 4,
) -> Films:
    """Films in which no frame before number `first` (from 0) is covered."""
    if not 0 <= first <= frames - covered:
        raise ValueError(
            f"{covered} covered frames do not fit between {first} and {frames}"
        )
    rng = np.random.default_rng(seed)
    size = rng.uniform(*SIZE, (count, 1, 1))
    low = balls.load(count, frames, seed, SPEED) * (1 - size)  # left and bottom
    high = low + size  # right and top
    bright = rng.integers(0, 2, (count, 1, 1))
    start = rng.integers(first, frames - covered + 1, (count, 1))
    t = np.arange(frames)
    hidden = (start <= t) & (t < start + covered)
    pictures = _render(low, high, pixels) * (DIM + (1 - DIM) * bright[..., None])
    pictures[hidden] = 0
    kind = np.broadcast_to(bright, (count, frames, 1)).astype(float)
    labels = np.concatenate([low, high, kind], axis=2)
    return Films(pictures.reshape(count, frames, -1), labels, hidden)


def _render(low: np.ndarray, high: np.ndarray, pixels: int) -> np.ndarray:
    """Each pixel is as bright as the share of it that the square covers."""
    begin = np.arange(pixels) / pixels  # of each pixel, along one direction
    ends = np.minimum(high[..., None], begin + 1 / pixels)
    begins = np.maximum(low[..., None], begin)
    share = pixels * (ends - begins).clip(0)  # (count, frames, 2, pixels)
    return share[:, :, 1, :, None] * share[:, :, 0, None, :]  # rows are y, columns x
