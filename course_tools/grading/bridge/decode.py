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

import numpy as np
import torch

from course_tools.grading.bridge import pandas_values, stdlib_values
from course_tools.grading.bridge.encode import ARRAY_KINDS, MUTABLE_TAGS, SEQUENCES
from course_tools.grading.bridge.wire import WireError
from course_tools.grading.judge.proxies import DATA_NAMES

_KINDS = "".join(sorted(ARRAY_KINDS))
DTYPE = re.compile(rf"[<>|=][{_KINDS}]\d{{1,9}}(\[\w{{1,5}}\])?\Z")
TORCH_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in vars(torch).values()
    if isinstance(dtype, torch.dtype) and not str(dtype).startswith("torch.q")
}


class Decoder:
    """Rebuilds values; `extend(tag, rest, decoder)` handles the tags of one side."""

    def __init__(self, buffers, extend, depth_limit, tensor_hook=None):
        self.buffers = buffers
        self.extend = extend
        self.depth_limit = depth_limit
        self.tensor_hook = tensor_hook
        self.mutables = []
        self._depth = 0

    def decode(self, skeleton):
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

    def _decode_tagged(self, tag, rest):
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

    def _items(self, items):
        return [self.decode(item) for item in _list(items)]

    def _tag_p(self, skeleton):
        return self.decode(skeleton)

    def _tag_i(self, text):
        return int(text, 16)

    def _tag_c(self, real, imaginary):
        return complex(float(real), float(imaginary))

    def _tag_b(self, index):
        return bytes(self._buffer(index))

    def _tag_y(self, index):
        return bytearray(self._buffer(index))

    def _tag_sl(self, start, stop, step):
        return slice(*map(self.decode, (start, stop, step)))

    def _tag_r(self, start, stop, step):
        return range(_int(start), _int(stop), _int(step))

    def _tag_e(self):
        return Ellipsis

    def _tag_D(self, text):
        return _dtype(text)

    def _tag_TD(self, name):
        return TORCH_DTYPES[name]

    def _tag_dev(self, name):
        return torch.device(name if name in ("cpu", "meta") else "cpu")

    def _tag_nt(self, name, fields, items):
        names = [_identifier(field) for field in _list(fields)]
        name = _str(name)
        if name.startswith("_"):  # torch has such names, fields may not
            name = "_" + _identifier(name.lstrip("_"))
        values = self._items(items)
        for field, value in zip(names, values, strict=True):
            if field in DATA_NAMES and callable(value):
                raise WireError(f"a tuple has a method of its own: {field}")
        return collections.namedtuple(
            name if name[0] == "_" else _identifier(name), names
        )(*values)

    def _tag_pd(self, kind, parts):
        return pandas_values.build(_str(kind), _list(parts), self.decode)

    def _tag_std(self, name, parts):
        return stdlib_values.build(_str(name), self._items(parts))

    def _tag_g(self, text, index):
        return np.frombuffer(self._buffer(index), dtype=_dtype(text), count=1)[0]

    def _tag_a(self, text, shape, index, writeable=True):
        dtype, shape, data = _dtype(text), _shape(shape), self._buffer(index)
        if math.prod(shape) * dtype.itemsize != len(data):
            raise WireError("an array's buffer does not have the size of its shape")
        if not data:
            return np.empty(shape, dtype)
        array = np.frombuffer(data, dtype=dtype).reshape(shape).copy()
        array.flags.writeable = bool(writeable)
        return array

    def _tag_o(self, shape, items):
        shape, values = _shape(shape), self._items(items)
        if len(values) != math.prod(shape):
            raise WireError("an object array does not have as many items as its shape")
        array = np.empty(shape, dtype=object)
        flat = array.reshape(-1)
        for index, value in enumerate(values):
            flat[index] = value
        return array

    def _tag_T(self, name, shape, index, flag, number, gradient):
        dtype, shape, data = TORCH_DTYPES[name], _shape(shape), self._buffer(index)
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

    def _buffer(self, index):
        if type(index) is not int or not 0 <= index < len(self.buffers):
            raise WireError("a value points to a buffer that is not there")
        return self.buffers[index]


@functools.lru_cache(64)
def _dtype(text):
    if not DTYPE.match(_str(text)):
        raise WireError("a dtype is not one that may cross")
    return np.dtype(text)


def _shape(shape):
    for length in _list(shape):
        if type(length) is not int or length < 0:
            raise WireError("a shape is not made of whole numbers from 0 on")
    if len(shape) > 32:
        raise WireError("a shape has too many axes")
    return tuple(shape)


def _identifier(text):
    text = _str(text)
    if not text.isidentifier() or keyword.iskeyword(text) or text.startswith("_"):
        raise WireError("a field name is not an identifier")
    return text


def _int(value):
    if type(value) is not int:
        raise WireError("a whole number was expected")
    return value


def _str(value):
    if type(value) is not str or len(value) > 200:
        raise WireError("a short text was expected")
    return value


def _list(value):
    if type(value) is not list:
        raise WireError("a list was expected")
    return value
