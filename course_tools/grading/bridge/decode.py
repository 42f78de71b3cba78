"""Values rebuilt from skeletons and buffers, from nothing but checked parts.

The reader only ever builds builtin containers, numpy arrays and torch tensors of its
own, so whatever a hostile writer sends, an object with behaviour of its own cannot
arrive. Tags that are not data are left to `extend`, a hook of the side that reads.
"""

import collections
import functools
import keyword
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from course_tools.grading.bridge import pandas_values, stdlib_values
from course_tools.grading.bridge.data_names import is_data_name
from course_tools.grading.bridge.encode import ARRAY_KINDS, MUTABLE_TAGS, SEQUENCES
from course_tools.grading.bridge.wire import Buffer, Skeleton, WireError
from course_tools.grading.limits import (
    ARRAY_AXES,
    INTEGER_CHARACTERS,
    SHORT_TEXT_CHARACTERS,
)

_KINDS = "".join(sorted(ARRAY_KINDS))
DTYPE = re.compile(rf"[<>|=][{_KINDS}]\d{{1,9}}(\[\w{{1,5}}\])?\Z")
TORCH_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in vars(torch).values()
    if isinstance(dtype, torch.dtype) and not str(dtype).startswith("torch.q")
}


# (tensor, flag, number) -> the tensor that takes its place
TensorHook = Callable[[torch.Tensor, int, int], torch.Tensor]


class Decoder:
    """Rebuilds values; `extend(tag, rest, decoder)` handles the tags of one side."""

    def __init__(
        self,
        buffers: Sequence[Buffer],
        extend: "Callable[[str, list[Any], Decoder], Any]",
        depth_limit: int,
        tensor_hook: TensorHook | None = None,
    ) -> None:
        self.buffers = buffers
        self.extend = extend
        self.depth_limit = depth_limit
        self.tensor_hook = tensor_hook
        self.mutables: list[Any] = []
        self._depth = 0

    def decode(self, skeleton: Skeleton) -> Any:
        kind = type(skeleton)
        if skeleton is None or kind in (bool, str, float, int):
            return skeleton
        if kind is not list or not skeleton or type(skeleton[0]) is not str:
            raise WireError("a value is neither plain nor tagged")
        self._depth += 1
        if self._depth > self.depth_limit + 5:
            raise WireError(f"a value is nested deeper than {self.depth_limit} levels")
        try:
            value = self._decode_tagged(skeleton[0], skeleton[1:])
            if skeleton[0] in MUTABLE_TAGS:
                self.mutables.append(value)
            return value
        except WireError:
            raise
        except Exception as error:
            raise WireError(
                f"a value tagged {skeleton[0][:8]!r} cannot be rebuilt: "
                f"{type(error).__name__}"
            ) from error
        finally:
            self._depth -= 1

    def _decode_tagged(self, tag: str, rest: list[Any]) -> Any:
        if tag in SEQUENCES:
            (items,) = rest
            return SEQUENCES[tag](self._items(items))
        if tag == "d":
            (pairs,) = rest
            return {self.decode(k): self.decode(v) for k, v in _list(pairs)}
        handler = getattr(self, "_tag_" + tag, None)
        if handler is not None:
            return handler(*rest)
        return self.extend(tag, rest, self)

    def _items(self, items: Any) -> list[Any]:
        return [self.decode(item) for item in _list(items)]

    def _tag_p(self, skeleton: Any) -> Any:
        return self.decode(skeleton)

    def _tag_i(self, text: Any) -> int:
        if type(text) is not str or len(text) > INTEGER_CHARACTERS:
            raise WireError("a whole number is out of bounds")
        return int(text, 16)

    def _tag_c(self, real: Any, imaginary: Any) -> complex:
        return complex(float(real), float(imaginary))

    def _tag_b(self, index: Any) -> bytes:
        return bytes(self._buffer(index))

    def _tag_y(self, index: Any) -> bytearray:
        return bytearray(self._buffer(index))

    def _tag_sl(self, start: Any, stop: Any, step: Any) -> slice:
        return slice(*map(self.decode, (start, stop, step)))

    def _tag_r(self, start: Any, stop: Any, step: Any) -> range:
        return range(_int(start), _int(stop), _int(step))

    def _tag_e(self) -> Any:
        return Ellipsis

    def _tag_D(self, text: Any) -> np.dtype:
        return _dtype(text)

    def _tag_TD(self, name: Any) -> torch.dtype:
        return TORCH_DTYPES[name]

    def _tag_dev(self, name: Any) -> torch.device:
        return torch.device(name if name in ("cpu", "meta") else "cpu")

    def _tag_nt(self, name: Any, fields: Any, items: Any) -> tuple[Any, ...]:
        names = [_identifier(field) for field in _list(fields)]
        bare = _str(name).lstrip("_")  # torch has names with _, fields may not
        class_name = ("_" if bare != name else "") + _identifier(bare)
        values = self._items(items)
        for field, value in zip(names, values, strict=True):
            if is_data_name(field) and callable(value):
                raise WireError(f"a tuple has a method of its own: {field}")
        return collections.namedtuple(class_name, names)(*values)

    def _tag_pd(self, kind: Any, parts: Any) -> Any:
        extend, self.extend = self.extend, _nothing_but_data
        try:
            return pandas_values.build(_str(kind), _list(parts), self.decode)
        finally:
            self.extend = extend

    def _tag_std(self, name: Any, parts: Any) -> Any:
        return stdlib_values.build(_str(name), self._items(parts))

    def _tag_g(self, text: Any, index: Any) -> np.generic:
        return np.frombuffer(self._buffer(index), dtype=_dtype(text), count=1)[0]

    def _tag_a(
        self, text: Any, lengths: Any, index: Any, writeable: Any = True
    ) -> np.ndarray:
        dtype, shape, data = _dtype(text), _shape(lengths), self._buffer(index)
        if math.prod(shape) * dtype.itemsize != len(data):
            raise WireError("an array's buffer does not have the size of its shape")
        if not data:
            return np.empty(shape, dtype)
        array = np.frombuffer(data, dtype=dtype).reshape(shape).copy()
        array.flags.writeable = bool(writeable)
        return array

    def _tag_o(self, lengths: Any, items: Any) -> np.ndarray:
        shape, values = _shape(lengths), self._items(items)
        if len(values) != math.prod(shape):
            raise WireError("an object array does not have as many items as its shape")
        array = np.empty(shape, dtype=object)
        flat = array.reshape(-1)
        for index, value in enumerate(values):
            flat[index] = value
        return array

    def _tag_T(
        self,
        name: Any,
        lengths: Any,
        index: Any,
        flag: Any,
        number: Any,
        gradient: Any,
    ) -> torch.Tensor:
        dtype, shape, data = TORCH_DTYPES[name], _shape(lengths), self._buffer(index)
        if math.prod(shape) * dtype.itemsize != len(data):
            raise WireError("a tensor's buffer does not have the size of its shape")
        if data:
            tensor = torch.frombuffer(bytearray(data), dtype=dtype).reshape(shape)
        else:
            tensor = torch.empty(shape, dtype=dtype)
        flag, number = _int(flag), _int(number)
        if self.tensor_hook is not None:
            tensor = self.tensor_hook(tensor, flag, number)
        if gradient is not None:
            tensor.grad = self.decode(gradient)
        return tensor

    def _buffer(self, index: Any) -> Buffer:
        if type(index) is not int or not 0 <= index < len(self.buffers):
            raise WireError("a value points to a buffer that is not there")
        return self.buffers[index]


def _nothing_but_data(tag: str, rest: list[Any], decoder: Decoder) -> Any:
    """A thing in a table would be found by its label, as if the table had a method."""
    raise WireError("a table holds something that is not data")


@functools.lru_cache(64)
def _dtype(text: Any) -> np.dtype:
    if not DTYPE.match(_str(text)):
        raise WireError("a dtype is not one that may cross")
    return np.dtype(text)


def _shape(lengths: Any) -> tuple[int, ...]:
    for length in _list(lengths):
        if type(length) is not int or length < 0:
            raise WireError("a shape is not made of whole numbers from 0 on")
    if len(lengths) > ARRAY_AXES:
        raise WireError("a shape has too many axes")
    return tuple(lengths)


def _identifier(name: Any) -> str:
    text = _str(name)
    if not text.isidentifier() or keyword.iskeyword(text) or text.startswith("_"):
        raise WireError("a field name is not an identifier")
    return text


def _int(value: Any) -> int:
    if type(value) is not int:
        raise WireError("a whole number was expected")
    return value


def _str(value: Any) -> str:
    if type(value) is not str or len(value) > SHORT_TEXT_CHARACTERS:
        raise WireError("a short text was expected")
    return value


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise WireError("a list was expected")
    return value
