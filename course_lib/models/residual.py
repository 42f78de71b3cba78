r"""Residual connections: a sub-layer $S$ adds to its input, with a norm $N$.

$$\text{post-norm (2017):}\; x \leftarrow N(x + S(x)) \qquad
\text{pre-norm:}\; x \leftarrow x + S(N(x))$$

Introduced in lecture 10.
"""

from collections.abc import Callable
from typing import TypeVar

from jaxtyping import Float
from torch import Tensor

Rest = TypeVar("Rest")


def residual(
    x: Float[Tensor, "*batch d"],
    norm: Callable[[Tensor], Tensor],
    sub_layer: Callable[[Tensor], Tensor],
    norm_first: bool,
) -> Float[Tensor, "*batch d"]:
    """x plus what the sub-layer makes of it, with the norm before or after."""
    return x + sub_layer(norm(x)) if norm_first else norm(x + sub_layer(x))


def residual_and(
    x: Float[Tensor, "*batch d"],
    norm: Callable[[Tensor], Tensor],
    sub_layer: Callable[[Tensor], tuple[Tensor, Rest]],
    norm_first: bool,
) -> tuple[Float[Tensor, "*batch d"], Rest]:
    """The same for a sub-layer that also returns something else, which is passed on."""
    added, rest = sub_layer(norm(x) if norm_first else x)
    return (x + added if norm_first else norm(x + added)), rest
