"""How the judge writes and reads what crosses: stand-ins, callbacks, parameters.

Answers are rebuilt from checked parts. A number that stands for something (a handle,
a callback, an argument, a parameter) must be one that the judge has given out, or
describe something new.
"""

import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from course_tools.grading.bridge.decode import Decoder
from course_tools.grading.bridge.encode import CannotCross, Encoder
from course_tools.grading.bridge.link import Link
from course_tools.grading.bridge.tensors import MirrorTable, attach
from course_tools.grading.bridge.wire import Buffer, Header, Skeleton, Wire, WireError
from course_tools.grading.judge import remote_classes
from course_tools.grading.judge.copy_back import overwrite
from course_tools.grading.judge.encode_test_objects import encode_thing
from course_tools.grading.judge.proxies import (
    CallableStandIn,
    CoroutineStandIn,
    IteratorStandIn,
    StandIn,
)
from course_tools.grading.judge.proxy_base import RemoteObject
from course_tools.grading.limits import Limits

if TYPE_CHECKING:
    from course_tools.grading.judge.namespace import JudgeNamespace

STAND_INS: dict[str, type[StandIn]] = {
    "iterator": IteratorStandIn,
    "coroutine": CoroutineStandIn,
    "function": CallableStandIn,
    "callable": CallableStandIn,
    "class": CallableStandIn,
}


Change = tuple[int, Skeleton]


class JudgeCodec(Link):
    """Encodes what tests send, decodes what students answer."""

    def __init__(self, wire: Wire, limits: Limits, names: "JudgeNamespace") -> None:
        super().__init__(wire, limits)
        self.names = names
        self.stand_ins: weakref.WeakValueDictionary[int, StandIn] = (
            weakref.WeakValueDictionary()
        )
        # what is left of a student's thing when a value of the test is taken from it,
        # by handle: how it is hashed may be for the student's process to say
        self.differences: weakref.WeakValueDictionary[int, RemoteObject] = (
            weakref.WeakValueDictionary()
        )
        self.paths: dict[int, set[str]] = {}  # how tests have come by a thing
        self.released: list[int] = []  # handles that no test holds any more
        self.callbacks: list[Callable[..., Any]] = []
        self.solution_classes: Collection[str] = ()
        self.errors = remote_classes.ErrorClasses(names)
        self.mirrors = MirrorTable()
        self.inputs: list[Tensor] = []  # of the call that is being written
        self.arguments: Sequence[Any] = ()  # of the call whose answer is being read
        self.graph_ends: list[Tensor] = []
        self.attached: Iterator[Tensor] | None = None

    def backward(
        self, tape: int, gradients: Sequence[Tensor | None]
    ) -> dict[int, Tensor]:
        """Return {input number: gradient} for gradients at the ends of a call."""
        raise NotImplementedError

    def is_locked(self, cls: type) -> bool:
        """Does this class come from a locked cell?"""
        return any(cls is value for value in self.names.locked.values())

    def note_path(self, value: Any, name: str, owner: StandIn | None = None) -> None:
        """Remember by which name a test has found a thing of the student's."""
        if not issubclass(type(value), StandIn):
            return
        known = self.paths.get(owner._handle, {"?"}) if owner is not None else {""}
        longer = {f"{path}.{name}" if path else name for path in known}
        self.paths.setdefault(value._handle, set()).update(longer)

    # -- writing ----------------------------------------------------------------------
    def encoder(self) -> Encoder:
        encoder = super().encoder()
        encoder.tensor_flag = self._tensor_flag
        return encoder

    def _tensor_flag(self, tensor: Tensor) -> tuple[int, int]:
        """3: a parameter with its handle, 1: an input of a graph, 0: plain."""
        for handle, twin in self.mirrors.tensors.items():
            if twin is tensor:
                return 3, handle
        if tensor.requires_grad and torch.is_grad_enabled():
            self.inputs.append(tensor)
            return 1, len(self.inputs) - 1
        return 0, 0

    def extend_encode(self, value: Any, encoder: Encoder) -> list[Any] | None:
        if issubclass(type(value), StandIn):
            if value._link is not self:
                raise CannotCross(
                    "this object belongs to a student process that has ended"
                )
            return ["h", value._handle]
        return encode_thing(self, value, encoder)

    def callback_number(self, function: Callable[..., Any]) -> int:
        """Keep a function of the test; return the number by which it can be called."""
        self.callbacks.append(function)
        return len(self.callbacks) - 1

    # -- reading ----------------------------------------------------------------------
    def read_value(
        self, header: Header, buffers: Sequence[Buffer], inputs: Sequence[Tensor] = ()
    ) -> Any:
        """Rebuild the value of an answer; ends of graphs get their gradients."""
        self.graph_ends, self.attached = [], None
        value = self.decoder(buffers, self._take_tensor).decode(header.get("value"))
        if self.graph_ends:
            ends, tape = self.graph_ends, header.get("tape")
            if type(tape) is not int:
                raise WireError("a graph comes without its number")
            # a false one is found out in the student's process: it belongs there
            self.attached = iter(attach(self, tape, ends, inputs))
            value = self.decoder(buffers, self._take_tensor).decode(header["value"])
        return value

    def _take_tensor(self, tensor: Tensor, flag: int, number: int) -> Tensor:
        """Flag 1: end of a graph in the student's process; 2: a parameter there."""
        if flag == 1:
            if self.attached is not None:
                return next(self.attached)
            self.graph_ends.append(tensor)
        if flag == 2:
            twin = self.mirrors.tensors.get(number)
            if twin is not None:
                if twin.shape != tensor.shape or twin.dtype != tensor.dtype:
                    raise WireError("a parameter changed its dtype or shape")
                return twin
            tensor = torch.nn.Parameter(tensor, tensor.is_floating_point())
            self.mirrors.add(number, tensor)
        return tensor

    def read_changes(self, header: Header, mutables: Sequence[Any]) -> list[Change]:
        """Return (position, new contents) of the arguments that a call has changed."""
        changes = header.get("changes", [])
        if type(changes) is not list or len(changes) > len(mutables):
            raise WireError("the list of changed arguments is not one")
        for position, _ in changes:
            if type(position) is not int or not 0 <= position < len(mutables):
                raise WireError("a changed argument was never sent")
        return changes

    def apply_changes(
        self,
        changes: Sequence[Change],
        buffers: Sequence[Buffer],
        mutables: Sequence[Any],
    ) -> None:
        """Copy in-place changes of arguments back into the judge's objects."""
        decoder = self.decoder(buffers)
        for position, skeleton in changes:
            overwrite(mutables[position], decoder.decode(skeleton))

    def extend_decode(self, tag: str, rest: list[Any], decoder: Decoder) -> Any:
        if tag == "h":
            return self._stand_in(*rest)
        if tag == "ty":
            return remote_classes.shared_class(*rest)
        if tag == "same":
            if type(rest[0]) is not int or not 0 <= rest[0] < len(self.arguments):
                raise WireError("an argument was named that was never sent")
            return self.arguments[rest[0]]
        if tag == "cb":
            if type(rest[0]) is not int or not 0 <= rest[0] < len(self.callbacks):
                raise WireError("a function was named that was never sent")
            return self.callbacks[rest[0]]
        return super().extend_decode(tag, rest, decoder)

    def _stand_in(self, handle: Any, description: Any) -> Any:
        if type(handle) is not int:
            raise WireError("a handle is not a number")
        known = self.stand_ins.get(handle)
        if known is not None:
            return known
        facts = remote_classes.Facts(description, self.names)
        if facts.kind == "exception":
            return self.errors.get(description["mro"])
        if facts.member is not None:
            return facts.member
        if facts.plain is not None and facts.type not in self.solution_classes:
            return facts.plain
        stand_in = STAND_INS.get(facts.kind, StandIn)(self, handle, facts)
        self.stand_ins[handle] = stand_in
        self.paths.pop(handle, None)
        weakref.finalize(stand_in, self.released.append, handle).atexit = False
        return stand_in
