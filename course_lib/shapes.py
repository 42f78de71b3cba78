"""One check of shapes for NumPy arrays and torch tensors, with a message to learn from.

The cells in NumPy and the models in torch both use it, so it needs neither library.
"""

from typing import Protocol


class Shaped(Protocol):
    """Anything with a shape: an array of NumPy, a tensor of torch."""

    @property
    def shape(self) -> tuple[int, ...]: ...


def check_shape(name: str, array: Shaped, axes: str, why: str, **sizes: int) -> None:
    """Raise a ValueError that quotes the shapes unless `array` has the named axes.

    `axes` names them, "B T d_x"; `sizes` fixes those that are known, d_x=5.
    """
    names, shape = axes.split(), tuple(array.shape)
    fits = len(shape) == len(names) and all(
        sizes.get(axis, size) == size for axis, size in zip(names, shape, strict=True)
    )
    if not fits:
        wanted = ", ".join(f"{a}={sizes[a]}" if a in sizes else a for a in names)
        comma = "," if len(names) == 1 else ""
        raise ValueError(f"{name} has shape {shape}, expected ({wanted}{comma}): {why}")
