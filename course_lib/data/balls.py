r"""Bouncing balls: points that fly straight and are reflected by the walls of a box.

Data: generated here from a seed; nothing is downloaded and no licence applies.

The box is the unit square, time is counted in frames, speed in box widths per frame.
The flight is exact at any time, without a simulation step. Unfold the box: a wall is a
mirror, and a ball that flies on behind the mirror at $u = x_1 + t v$ is seen at

$$\operatorname{fold}(u) = 1 - \lvert 1 - (u \bmod 2) \rvert .$$

Only sums, products, remainders and comparisons are used, and these are rounded in the
same way by every processor, so a seed gives the same bytes everywhere.
Introduced in lecture 01.
"""

import numpy as np
from jaxtyping import Float

SPEED = (0.02, 0.14)  # root mean square exactly 0.1, see `launch`

Points = Float[np.ndarray, "count 2"]
Paths = Float[np.ndarray, "count frames 2"]


def fold(unfolded: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    r"""$1 - |1 - (u \bmod 2)|$: 0.3 -> 0.3, 1.2 -> 0.8, -0.1 -> 0.1, 2.3 -> 0.3."""
    return 1 - np.abs(1 - np.mod(unfolded, 2))


def launch(
    count: int, rng: np.random.Generator, speed: tuple[float, float] = SPEED
) -> tuple[Points, Points]:
    r"""Positions in the first frame and velocities, both (count, 2).

    Positions are uniform in the box. Velocities are uniform in the ring between the two
    speeds, drawn by throwing away the points outside it. Hence no direction is
    preferred, $E[v] = 0$, and $E\lVert v \rVert^2 = (low^2 + high^2) / 2$.
    """
    low, high = speed
    if not 0 <= low < high <= 1:
        raise ValueError(
            f"speed must be (low, high) with 0 <= low < high <= 1, got {speed}: it "
            "counts box widths per frame, and the ring must have an inside"
        )
    start = rng.random((count, 2))
    velocity = np.empty((0, 2))
    while len(velocity) < count:
        draw = high * (2 * rng.random((2 * count + 8, 2)) - 1)
        square = (draw * draw).sum(axis=1)
        inside = (low * low <= square) & (square <= high * high)
        velocity = np.concatenate([velocity, draw[inside]])
    return start, velocity[:count]


def fly(start: Points, velocity: Points, frames: int) -> Paths:
    """Where the balls are in frames 0, 1, ..., frames - 1: (count, frames, 2)."""
    if start.shape != velocity.shape:
        raise ValueError(
            f"start {start.shape} and velocity {velocity.shape} must have equal shapes:"
            " one velocity for each ball"
        )
    if frames < 0:
        raise ValueError(f"frames must not be negative, got {frames}")
    t = np.arange(frames)[None, :, None]
    return fold(start[:, None] + t * velocity[:, None])


def load(
    count: int, frames: int, seed: int = 0, speed: tuple[float, float] = SPEED
) -> Paths:
    """Paths of `count` balls, (count, frames, 2), the same bytes for the same seed."""
    start, velocity = launch(count, np.random.default_rng(seed), speed)
    return fly(start, velocity, frames)


def render(
    positions: Float[np.ndarray, "*dims 2"], pixels: int = 16, radius: float = 0.08
) -> Float[np.ndarray, "*dims pixels pixels"]:
    """Pictures of the balls: (..., 2) -> (..., pixels, pixels), grey values in 0..1.

    Row 0 is the bottom of the box (use origin="lower" to plot) and column 0 its left.
    A pixel is 1 inside the ball, 0 outside, and between the two on a rim one pixel
    wide, so that the picture changes smoothly with the position.
    """
    if pixels < 1 or radius <= 0:
        raise ValueError(
            f"pixels must be at least 1 and radius positive, got {pixels} and {radius}"
        )
    centres = (np.arange(pixels) + 0.5) / pixels
    dx = centres - positions[..., 0, None]  # (..., pixels)
    dy = centres - positions[..., 1, None]
    distance = np.sqrt(dy[..., :, None] ** 2 + dx[..., None, :] ** 2)
    return np.clip((radius - distance) * pixels + 0.5, 0, 1)
