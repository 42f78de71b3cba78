"""How the student's side writes and reads what crosses: handles, callbacks, classes.

What is not data stays here, under a number by which the judge may speak of it.
"""

import importlib
from typing import Any

from torch import Tensor

from course_tools.grading.bridge.decode import Decoder
from course_tools.grading.bridge.encode import CannotCross, Encoder
from course_tools.grading.bridge.link import Link
from course_tools.grading.bridge.shell import RecordingShell
from course_tools.grading.bridge.tensors import MirrorTable
from course_tools.grading.bridge.wire import Wire
from course_tools.grading.limits import Limits
from course_tools.grading.student import values


class StudentCodec(Link):
    """Encodes what the judge asked for, decodes what it sends."""

    def __init__(self, wire: Wire, limits: Limits, shell: RecordingShell) -> None:
        super().__init__(wire, limits)
        self.shell = shell
        self.handles: dict[int, Any] = {}
        self.handle_of: dict[int, int] = {}  # by id
        self.mirrors = MirrorTable()
        self.counter = 0  # of handles and tapes
        self.leaves: dict[int, Tensor] = {}  # inputs of the present call, by number

    # -- writing ------------------------------------------------------------------
    def encoder(self) -> Encoder:
        encoder = super().encoder()
        encoder.tensor_flag = self._tensor_flag
        return encoder

    def _tensor_flag(self, tensor: Tensor) -> tuple[int, int]:
        """0: plain, 1: end of a graph, 2: a parameter with its handle."""
        if not tensor.requires_grad:
            return 0, 0
        if tensor.is_leaf and all(tensor is not leaf for leaf in self.leaves.values()):
            handle = self.handle(tensor)
            if handle not in self.mirrors.tensors:
                self.mirrors.add(handle, tensor)
            return 2, handle
        return 1, 0

    def handle(self, value: Any) -> int:
        """Return the number under which the judge may speak of `value`."""
        known = self.handle_of.get(id(value))
        if known is not None:
            return known
        if len(self.handles) >= self.limits.handles:
            raise CannotCross(f"more than {self.limits.handles} objects are in use")
        self.counter += 1
        self.handles[self.counter] = value
        self.handle_of[id(value)] = self.counter
        return self.counter

    def release(self, handle: int) -> None:
        """The judge speaks of it no more."""
        self.handle_of.pop(id(self.handles.pop(handle, None)), None)
        self.mirrors.discard(handle)

    def extend_encode(self, value: Any, encoder: Encoder) -> list[Any] | None:
        if isinstance(value, Callback):
            return ["cb", value.number]
        name = values.plain_class(value)
        if name is not None:
            return ["ty", name]
        if values.is_record(value):
            return None
        return ["h", self.handle(value), values.describe(value)]

    # -- reading ------------------------------------------------------------------
    def keep_leaf(self, tensor: Tensor, flag: int, number: int) -> Tensor:
        """Flag 1: an input of a graph in the judge; 3: a parameter of this side."""
        if flag == 3:
            return self.handles[number]
        if flag == 1:
            self.leaves[number] = tensor.requires_grad_(True)
        return tensor

    def extend_decode(self, tag: str, rest: list[Any], decoder: Decoder) -> Any:
        if tag == "h":
            return self.handles[rest[0]]
        if tag == "cb":
            return Callback(self, *rest)
        if tag == "ty":
            return find_object(rest[0], self.shell.user_ns)
        if tag == "mod":
            return importlib.import_module(rest[0])
        if tag == "obj":
            return values.rebuild(
                find_object(rest[0], self.shell.user_ns), decoder.decode(rest[1])
            )
        if tag == "rng":
            return values.rebuild_generator(rest[0], decoder.decode(rest[1]))
        return super().extend_decode(tag, rest, decoder)


class Callback:
    """A function of the judge, called from student code."""

    def __init__(self, link: StudentCodec, number: int, name: str = "callback") -> None:
        self.link = link
        self.number = number
        self.__name__ = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        encoder = self.link.encoder()
        fields = {
            "op": "callback",
            "number": self.number,
            "args": encoder.encode(list(args)),
            "kwargs": encoder.encode(kwargs),
        }
        header, buffers = self.link.ask(fields, encoder.buffers)
        if "error" in header:
            raise values.local_error(header["error"])
        return self.link.decoder(buffers).decode(header["value"])


def find_object(name: str, names: dict[str, Any]) -> Any:
    """Return the class or function that both sides know as `module:qualname`."""
    module, _, path = name.partition(":")
    if module == "__main__":
        value = names[path.partition(".")[0]]
    else:
        value = getattr(importlib.import_module(module), path.partition(".")[0])
    for part in path.split(".")[1:]:
        value = getattr(value, part)
    return value
