"""Parameters that live in the student's process and have a twin in the judge.

A test may read `model.W.weight`, take an optimiser step on it, or look at its
gradient after `loss.backward()`. Both sides keep a table of such tensors by handle;
with every message each side sends what changed since the last one. The judge only
lets a twin take values of the same dtype and shape.
"""

import torch

from course_tools.grading.bridge.wire import WireError


class MirrorTable:
    """Tensors by handle, and the versions both sides last agreed on."""

    def __init__(self):
        self.tensors = {}
        self.agreed = {}

    def add(self, handle, tensor):
        self.tensors[handle] = tensor
        self.agreed[handle] = _version(tensor)

    def discard(self, handle):
        self.tensors.pop(handle, None)
        self.agreed.pop(handle, None)

    def changes(self, encoder):
        """Return [handle, data or None, has gradient, gradient or None] per change."""
        found = []
        for handle, tensor in self.tensors.items():
            version, agreed = _version(tensor), self.agreed[handle]
            if version == agreed:
                continue
            data = encoder.encode(tensor.detach()) if version[0] != agreed[0] else None
            gradient = None if tensor.grad is None else encoder.encode(tensor.grad)
            found.append([handle, data, tensor.grad is not None, gradient])
            self.agreed[handle] = version
        return found

    def apply(self, found, decoder):
        """Take over what the other side changed."""
        if type(found) is not list:
            raise WireError("changes of parameters are not a list")
        for handle, data, has_gradient, gradient in found:
            tensor = self.tensors.get(handle)
            if tensor is None:
                continue
            if data is not None:
                tensor.data.copy_(_like(tensor, decoder.decode(data)))
            tensor.grad = (
                _like(tensor, decoder.decode(gradient)) if has_gradient else None
            )
            self.agreed[handle] = _version(tensor)


def _version(tensor):
    gradient = tensor.grad
    if gradient is None:
        return (tensor._version, tensor.data_ptr(), None, None)
    return (tensor._version, tensor.data_ptr(), id(gradient), gradient._version)


def _like(tensor, value):
    if (
        not isinstance(value, torch.Tensor)
        or value.shape != tensor.shape
        or value.dtype != tensor.dtype
    ):
        raise WireError("a parameter's new value has another dtype or shape")
    return value.detach()
