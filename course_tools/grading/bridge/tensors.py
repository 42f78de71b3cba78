"""Tensors that are part of a graph: parameters with a twin, calls with a gradient.

A test may read `model.W.weight`, take an optimiser step on it, or look at its
gradient after `loss.backward()`. Both sides keep a table of such tensors by handle;
with every message each side sends what changed since the last one. The judge only
lets a twin take values of the same dtype and shape. What a call returns is joined to
the judge's own graph: its backward pass is another call.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from course_tools.grading.bridge.decode import Decoder
from course_tools.grading.bridge.encode import Encoder
from course_tools.grading.bridge.wire import Skeleton, WireError

Version = tuple[int, int, int | None, int | None]


class MirrorTable:
    """Tensors by handle, and the versions both sides last agreed on."""

    def __init__(self) -> None:
        self.tensors: dict[int, Tensor] = {}
        self.agreed: dict[int, Version] = {}

    def add(self, handle: int, tensor: Tensor) -> None:
        self.tensors[handle] = tensor
        self.agreed[handle] = _version(tensor)

    def discard(self, handle: int) -> None:
        self.tensors.pop(handle, None)
        self.agreed.pop(handle, None)

    def changes(self, encoder: Encoder) -> list[Skeleton]:
        """Return [handle, data or None, has gradient, gradient or None] per change."""
        changes = []
        for handle, tensor in self.tensors.items():
            version, agreed = _version(tensor), self.agreed[handle]
            if version == agreed:
                continue
            data = encoder.encode(tensor.detach()) if version[0] != agreed[0] else None
            gradient = None if tensor.grad is None else encoder.encode(tensor.grad)
            changes.append([handle, data, tensor.grad is not None, gradient])
            self.agreed[handle] = version
        return changes

    def apply(self, changes: Skeleton, decoder: Decoder) -> None:
        """Take over what the other side changed."""
        if type(changes) is not list:
            raise WireError("changes of parameters are not a list")
        for handle, data, has_gradient, gradient in changes:
            tensor = self.tensors.get(handle)
            if tensor is None:
                continue
            if data is not None:
                tensor.data.copy_(_like(tensor, decoder.decode(data)))
            tensor.grad = (
                _like(tensor, decoder.decode(gradient)) if has_gradient else None
            )
            self.agreed[handle] = _version(tensor)


def _version(tensor: Tensor) -> Version:
    gradient = tensor.grad
    if gradient is None:
        return (tensor._version, tensor.data_ptr(), None, None)
    return (tensor._version, tensor.data_ptr(), id(gradient), gradient._version)


def _like(tensor: Tensor, value: Any) -> Tensor:
    if (
        not isinstance(value, Tensor)
        or value.shape != tensor.shape
        or value.dtype != tensor.dtype
    ):
        raise WireError("a parameter's new value has another dtype or shape")
    return value.detach()


class AsksBackward(Protocol):
    """The judge's link, as far as gradients need it."""

    def backward(
        self, tape: int, gradients: Sequence[Tensor | None]
    ) -> dict[int, Tensor]: ...


class RemoteGraph(torch.autograd.Function):
    """Joins the ends of a graph in the student's process to the judge's graph."""

    @staticmethod
    def forward(
        ctx: Any,
        link: AsksBackward,
        tape: int,
        ends: Sequence[Tensor],
        anchor: Tensor,
        *inputs: Tensor,
    ) -> tuple[Tensor, ...]:
        ctx.link, ctx.tape, ctx.count = link, tape, len(inputs)
        ctx.set_materialize_grads(False)
        return tuple(ends)

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *gradients: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        of_inputs = ctx.link.backward(ctx.tape, gradients)
        answers = [of_inputs.get(number) for number in range(ctx.count)]
        return (None, None, None, None, *answers)


def attach(
    link: AsksBackward, tape: int, ends: Sequence[Tensor], inputs: Sequence[Tensor]
) -> Sequence[Tensor]:
    """Return tensors equal to `ends` whose gradients flow to `inputs`.

    The anchor is there for calls without differentiable inputs: a module's own
    parameters live in the student's process and still want their gradients.
    """
    anchor = torch.zeros((), requires_grad=True)
    with torch.enable_grad():
        return RemoteGraph.apply(link, tape, ends, anchor, *inputs)
