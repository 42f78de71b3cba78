"""Plans of recurrent stacks: what an output sees, and what waits for what. Lecture 05b.

A layer runs "forward", "backward", or in "both" directions; one that runs both ways
consists of two passes whose states are concatenated. Everything here follows from two
arrows: a pass needs its own neighbour in time, and the layer below at the same time.
Steps of time are counted from 0.
"""

from typing import NamedTuple

import numpy as np

WAYS = {
    "forward": ("forward",),
    "backward": ("backward",),
    "both": ("forward", "backward"),
}


class LayerPlan(NamedTuple):
    """A layer of the stack; width is that of one direction."""

    direction: str
    width: int


def ways(direction: str) -> tuple[str, ...]:
    if direction not in WAYS:
        raise ValueError(f"direction is {direction!r}, expected one of {list(WAYS)}")
    return WAYS[direction]


def rounds(directions: list[str], steps: int) -> list[dict[str, np.ndarray]]:
    """The earliest round in which each cell can be computed, with workers to spare.

    A cell needs its neighbour in time and the layer below at the same time:
    round = 1 + max(of both). One dictionary per layer, from way to (steps,) numbers.
    """
    result, below = [], np.zeros(steps, int)
    for direction in directions:
        layer = {}
        for way in ways(direction):
            layer[way] = np.zeros(steps, int)
            before = 0
            for t in range(steps) if way == "forward" else reversed(range(steps)):
                before = layer[way][t] = 1 + max(before, below[t])
        below = np.max(list(layer.values()), axis=0)  # above, both states are needed
        result.append(layer)
    return result


def sees(directions: list[str], steps: int) -> np.ndarray:
    """(steps, steps) of True where output t depends on input t'."""
    one = np.ones((steps, steps), int)
    masks = {"forward": np.tril(one), "backward": np.triu(one), "both": one}
    reach = np.eye(steps, dtype=int)
    for direction in directions:
        ways(direction)  # refuses an unknown direction
        reach = masks[direction] @ reach
    return reach > 0


def cells_between(directions: list[str], steps: int) -> np.ndarray:
    """(steps, steps): how many cells the shortest way from input t' to output t passes.

    0 where there is no way. A pass from t' to t goes through |t - t'| + 1 of its cells;
    layer upon layer, the least sum over all places to change from one to the next.
    """
    t = np.arange(steps)
    late = t[:, None] - t  # how much later the output is
    far = np.iinfo(int).max // 4
    masks = {"forward": late >= 0, "backward": late <= 0, "both": late == late}
    lengths = np.where(late == 0, 0, far)
    for direction in directions:
        ways(direction)  # refuses an unknown direction
        layer = np.where(masks[direction], np.abs(late) + 1, far)
        lengths = (layer[:, :, None] + lengths[None]).min(axis=1)
    return np.where(lengths < far, lengths, 0)


def needed(directions: list[str], steps: int, at: int) -> list[dict[str, np.ndarray]]:
    """Which states the output at time index `at` depends on, layer by layer.

    Walks down from the top: a forward pass needs all its states up to the latest
    that is asked for, a backward pass all from the earliest on.
    """
    asked, t = np.arange(steps) == at, np.arange(steps)
    result = []
    for direction in reversed(directions):
        latest, earliest = t[asked].max(), t[asked].min()
        masks = {"forward": t <= latest, "backward": t >= earliest}
        layer = {way: masks[way] for way in ways(direction)}
        asked = np.any(list(layer.values()), axis=0)
        result.append(layer)
    return result[::-1]


def parameter_count(plan: list[LayerPlan], d_x: int) -> int:
    r"""LSTM parameters, one bias per block: $4 d (d_{in} + d + 1)$ for each pass."""
    total, d_in = 0, d_x
    for direction, width in plan:
        passes = len(ways(direction))
        total += passes * 4 * width * (d_in + width + 1)
        d_in = passes * width
    return total
