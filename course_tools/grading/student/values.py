"""What the student's side can do with values: operators, changes, descriptions."""

import asyncio
import builtins
import enum
import inspect
import operator
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch

from course_tools.grading.bridge import pandas_values
from course_tools.grading.bridge.encode import EXACT_INT
from course_tools.grading.limits import CLASS_BASES

OPERATIONS: dict[str, Callable[..., Any]] = {
    "getattr": getattr,
    "setattr": setattr,
    "delattr": delattr,
    "hasattr": hasattr,
    "getitem": operator.getitem,
    "setitem": operator.setitem,
    "delitem": operator.delitem,
    "contains": operator.contains,
    "len": len,
    "iter": iter,
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
    "str": str,
    "repr": repr,
    "abs": abs,
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "round": round,
    "divmod": divmod,
    "isinstance": isinstance,
    "issubclass": issubclass,
    "enter": lambda manager: type(manager).__enter__(manager),
    "exit": lambda manager: type(manager).__exit__(manager, None, None, None),
    "dir": dir,
    "type": type,
    "hash": hash,
    "source": inspect.getsource,
    "await": lambda coroutine: asyncio.run(coroutine),
}
BINARY = (
    "add sub mul truediv floordiv mod pow matmul lshift rshift and_ or_ xor "
    "eq ne lt le gt ge"
)
OPERATIONS.update({name: getattr(operator, name) for name in BINARY.split()})


def next_item(iterator: Iterator[Any]) -> list[Any]:
    """Return [item], or [] at the end: StopIteration does not cross well."""
    try:
        return [next(iterator)]
    except StopIteration:
        return []


OPERATIONS["next"] = next_item


def signature(function: Callable[..., Any]) -> list[list[Any]] | None:
    """Return [[name, kind, has default, default if plain], ...], or None."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [
        [
            item.name,
            int(item.kind),
            item.default is not item.empty,
            _plain(item.default),
        ]
        for item in parameters
    ]


def _plain(value: Any) -> Any:
    return value if type(value) in (bool, int, float, str) else None


OPERATIONS["signature"] = signature


def snapshot(mutables: Sequence[Any]) -> list[Any]:
    """Remember the contents of arguments that a call may change in place."""
    return [_contents(value) for value in mutables]


def _contents(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value._version
    if isinstance(value, np.ndarray) or pandas_values.kind_of(value):
        return value.copy()
    if isinstance(value, dict):
        return list(value.items())
    return list(value) if hasattr(value, "__iter__") else []


def changed(value: Any, before: Any) -> bool:
    """True if `value` no longer has the contents it had."""
    if isinstance(value, torch.Tensor):
        return value._version != before
    if isinstance(value, np.ndarray):
        same_frame = value.shape == before.shape and value.dtype == before.dtype
        return not same_frame or value.tobytes() != before.tobytes()
    if pandas_values.kind_of(value):
        return not value.equals(before)
    now = _contents(value)
    if len(now) != len(before):
        return True
    if isinstance(value, dict):
        pairs = zip(now, before, strict=True)
        return any(a[0] is not b[0] or a[1] is not b[1] for a, b in pairs)
    return any(a is not b for a, b in zip(now, before, strict=True))


def describe(value: Any) -> dict[str, Any]:
    """Return what the judge is told about a thing that is not data."""
    kind = "object"
    if isinstance(value, types.ModuleType):
        kind = "module"
    elif isinstance(value, type):
        kind = "exception" if issubclass(value, BaseException) else "class"
    elif callable(value):
        kind = "function" if isinstance(value, types.FunctionType) else "callable"
    elif inspect.iscoroutine(value):
        kind = "coroutine"
    elif hasattr(type(value), "__next__"):
        kind = "iterator"
    cls: type = value if isinstance(value, type) else type(value)
    return {
        "kind": kind,
        "name": str(getattr(value, "__name__", "")),
        "type": cls.__name__,
        "mro": [class_name(base) for base in cls.__mro__][:CLASS_BASES],
        **_underneath(value),
    }


def _underneath(value: Any) -> dict[str, Any]:
    """The number or text that a value of a derived class is; a member's name."""
    fields: dict[str, Any] = {}
    cls = type(value)
    if issubclass(cls, enum.Enum):
        fields["member"] = value.name
    if issubclass(cls, int):
        number = int.__add__(value, 0)
        if -EXACT_INT < number < EXACT_INT:
            fields["plain"] = number
    elif issubclass(cls, float):
        fields["plain"] = float.__add__(value, 0.0)
    elif issubclass(cls, str):
        fields["plain"] = str.__str__(value)
    return fields


def class_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def plain_class(value: Any) -> str | None:
    """Return the name under which both sides know a class, or None."""
    if not isinstance(value, type):
        return None
    if value.__module__ == "builtins" and getattr(builtins, value.__name__, 0) is value:
        return f"builtins:{value.__name__}"
    if value.__module__ == "numpy" and getattr(np, value.__name__, 0) is value:
        return f"numpy:{value.__name__}"
    if value is torch.Tensor:
        return "torch:Tensor"
    return None


def is_record(value: Any) -> bool:
    """True for what crosses as data although its class is not a plain one."""
    if isinstance(value, tuple) and hasattr(type(value), "_fields"):
        return True
    plain = (int, float, str, complex, bytes, dict, list, tuple, set, frozenset)
    own = type(value).__module__ == "__main__"
    return isinstance(value, (*plain, bytearray)) and not own


def rebuild(cls: Any, state: dict[str, Any]) -> Any:
    """Make an instance of a class both sides know, with the given attributes."""
    instance = cls.__new__(cls)
    instance.__dict__.update(state)
    return instance


def rebuild_generator(name: str, state: Any) -> Any:
    """Make a random generator that continues where the judge's stands."""
    if name == "torch":
        generator = torch.Generator()
        generator.set_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))
        return generator
    bits = getattr(np.random, name)()
    bits.state = state
    return np.random.Generator(bits)


def local_error(fields: dict[str, str]) -> Exception:
    """Return an exception of this process for one that a callback raised."""
    cls = getattr(builtins, fields["type"], RuntimeError)
    if not (isinstance(cls, type) and issubclass(cls, Exception)):
        cls = RuntimeError
    return cls(fields["text"])
