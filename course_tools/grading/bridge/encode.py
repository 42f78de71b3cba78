"""Values as JSON skeletons and raw buffers; the other half is `decode`.

None, booleans, numbers and strings stand for themselves; everything else is a list
whose first item is a tag. What is not data is left to `extend`, a hook of the side
that encodes (handles, callbacks, classes).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from course_tools.grading.bridge import pandas_values, stdlib_values
from course_tools.grading.bridge.wire import Skeleton

EXACT_INT = 1 << 60  # a reader of JSON may turn larger ones into floats
ARRAY_KINDS = frozenset("biufcmMSU")
SEQUENCES = {"l": list, "t": tuple, "s": set, "f": frozenset, "z": torch.Size}
TAGS = {kind: tag for tag, kind in SEQUENCES.items()}
# Values a callee may change in place; both sides list them in the same order.
MUTABLE_TAGS = frozenset(["l", "d", "s", "a", "o", "T", "y", "std", "pd"])


class CannotCross(TypeError):
    """A value has no form in which it could cross the bridge."""


class Encoder:
    """Turns values into skeletons; `extend(value, encoder)` handles the rest."""

    def __init__(
        self, extend: "Callable[[Any, Encoder], Skeleton | None]", depth_limit: int
    ) -> None:
        self.extend = extend
        self.depth_limit = depth_limit
        self.buffers: list[bytes] = []
        self.flagged: list[tuple[torch.Tensor, int]] = []
        self.mutables: list[Any] = []
        self.tensor_flag: Callable[[torch.Tensor], tuple[int, int]] = _no_gradient
        self._depth = 0
        # id of an argument -> its number: what comes back is itself
        self.same: dict[int, int] = {}

    def encode(self, value: Any) -> Skeleton:
        kind = type(value)
        if value is None or kind is bool or kind is str or kind is float:
            return value
        if kind is int:
            return value if -EXACT_INT < value < EXACT_INT else ["i", hex(value)]
        if self.same and id(value) in self.same:
            return ["same", self.same[id(value)]]
        self._depth += 1
        if self._depth > self.depth_limit:
            raise CannotCross(
                f"the value is nested more than {self.depth_limit} levels deep, or "
                "contains itself"
            )
        try:
            skeleton = self._encode_compound(value, kind)
        finally:
            self._depth -= 1
        if skeleton[0] in MUTABLE_TAGS:
            self.mutables.append(value)
        return skeleton

    def buffer(self, data: bytes) -> int:
        """Keep bytes beside the skeleton; return the number by which it names them."""
        self.buffers.append(data)
        return len(self.buffers) - 1

    def _encode_compound(self, value: Any, kind: type) -> list[Any]:
        if kind is dict:
            return ["d", self._pairs(value)]
        tag = TAGS.get(kind)
        if tag is not None:
            return [tag, [self.encode(item) for item in value]]
        if isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            array = np.asarray(value)
            _check_kind(array.dtype)
            return ["g", array.dtype.str, self.buffer(array.tobytes())]
        return self._encode_rare(value, kind)

    def _encode_rare(self, value: Any, kind: type) -> list[Any]:
        if kind is complex:
            return ["c", value.real, value.imag]
        if kind in (bytes, bytearray, memoryview):
            tag = "y" if kind is bytearray else "b"
            return [tag, self.buffer(bytes(value))]
        if kind is slice:
            return ["sl", *map(self.encode, (value.start, value.stop, value.step))]
        if kind is range:
            return ["r", value.start, value.stop, value.step]
        if value is Ellipsis:
            return ["e"]
        if isinstance(value, np.dtype):
            _check_kind(value)
            return ["D", value.str]
        if isinstance(value, torch.dtype):
            return ["TD", str(value).removeprefix("torch.")]
        if isinstance(value, torch.device):
            return ["dev", value.type]
        table = pandas_values.kind_of(value)
        if table is not None:
            extend, self.extend = self.extend, _nothing_but_data
            try:
                return pandas_values.skeleton(table, value, self.encode)
            finally:
                self.extend = extend
        name = stdlib_values.NAMES.get(kind)
        if name is not None:
            parts = stdlib_values.parts(name, value)
            return ["std", name, [self.encode(part) for part in parts]]
        return self._encode_subclass(value)

    def _encode_subclass(self, value: Any) -> list[Any]:
        """Subclasses of plain types cross as the plain type underneath."""
        extended = self.extend(value, self)
        if extended is not None:
            return extended
        cls: Any = type(value)
        if isinstance(value, tuple) and hasattr(cls, "_fields"):
            fields = [str(field) for field in cls._fields]
            items = [self.encode(item) for item in tuple.__iter__(value)]
            return ["nt", cls.__name__, fields, items]
        base: Any
        for base in (int, float, str, complex, bytes):
            if isinstance(value, base):
                return ["p", self.encode(base(value))]
        for base in (dict, list, tuple, set, frozenset, bytearray):
            if isinstance(value, base):
                return self._encode_compound(base(value), base)
        raise CannotCross(
            f"an object of class {type(value).__name__} cannot cross between the "
            "tests and the student's code"
        )

    def _pairs(self, value: dict[Any, Any]) -> list[list[Skeleton]]:
        return [[self.encode(key), self.encode(item)] for key, item in value.items()]

    def _array(self, value: np.ndarray) -> list[Any]:
        if value.dtype.kind == "O":
            items = [self.encode(item) for item in value.ravel()]
            return ["o", list(value.shape), items]
        _check_kind(value.dtype)
        array = np.ascontiguousarray(value)
        data = self.buffer(array.tobytes())
        return ["a", array.dtype.str, list(value.shape), data, value.flags.writeable]

    def _tensor(self, value: torch.Tensor) -> list[Any]:
        data = value.detach()
        if data.layout is not torch.strided:
            data = data.to_dense()
        data = data.resolve_conj().resolve_neg().cpu().contiguous()
        dtype = str(data.dtype).removeprefix("torch.")
        raw = data.reshape(-1).view(torch.uint8).numpy().tobytes()
        flag, number = self.tensor_flag(value)
        self.flagged.append((value, flag))
        gradient = self.encode(value.grad) if flag == 2 else None
        return ["T", dtype, list(data.shape), self.buffer(raw), flag, number, gradient]


def _nothing_but_data(value: Any, encoder: Encoder) -> None:
    """The codec says that it cannot cross."""


def _no_gradient(tensor: torch.Tensor) -> tuple[int, int]:
    return 0, 0


def _check_kind(dtype: np.dtype) -> None:
    if dtype.kind not in ARRAY_KINDS:
        raise CannotCross(f"arrays of dtype {dtype} cannot cross")
