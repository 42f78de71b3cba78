"""What a test sees in place of a thing that lives in the student's process.

A stand-in passes calls, attributes and items on, and only ever hands back plain
data, arrays the judge built itself, or other stand-ins. What it must not decide is
refused by `proxy_base`.
"""

import inspect
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from course_tools.grading.judge.proxy_base import (
    Refused,
    RemoteObject,
    as_bool,
    typed,
)


class StandIn(RemoteObject):
    """A thing in the student's process that is not data."""

    __slots__ = ()

    # -- what it is -------------------------------------------------------------
    @property
    def __class__(self) -> type:  # pyright: ignore
        return self._facts.claimed_class or type(self)

    def __instancecheck__(self, value: object) -> bool:
        if not issubclass(type(value), StandIn):
            return False
        return as_bool(self._do("isinstance", value, self))

    def __subclasscheck__(self, value: object) -> bool:
        return as_bool(self._do("issubclass", value, self))

    def __repr__(self) -> str:
        link = self._link
        if link.lost is None and link.knowledge.allows(self._facts.type, "__repr__"):
            return typed(self._do("repr", self), str)
        return f"<{self._facts.type} in the student's process>"

    def __str__(self) -> str:
        return typed(self._do("str", self), str)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __dir__(self) -> list[str]:
        return typed(self._do("dir", self), list)

    # -- items ------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Any:
        return self._do("getitem", self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._do("setitem", self, key, value)

    def __delitem__(self, key: Any) -> None:
        self._do("delitem", self, key)

    def __len__(self) -> int:
        return typed(self._do("len", self), int)

    def __iter__(self) -> Iterator[Any]:
        return iterate(self._do("iter", self))

    def __contains__(self, value: Any) -> bool:
        self._check_operator("__contains__", "in")
        return as_bool(self._do("contains", self, value))

    def __enter__(self) -> Any:
        return self._do("enter", self)

    def __exit__(self, *_: object) -> None:
        self._do("exit", self)

    # -- as plain data -------------------------------------------------------------
    def __bool__(self) -> bool:
        self.refuse_difference()
        return as_bool(self._do("bool", self))

    def __int__(self) -> int:
        self.refuse_difference()
        return typed(self._do("int", self), int)

    def __index__(self) -> int:
        self.refuse_difference()
        return typed(self._do("index", self), int)

    def __float__(self) -> float:
        self.refuse_difference()
        return typed(self._do("float", self), float)

    def __complex__(self) -> complex:
        self.refuse_difference()
        return typed(self._do("complex", self), complex)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise Refused(self._expected_data("made into an array"))

    @property
    def __array_interface__(self) -> Any:
        raise AttributeError("a student object is not an array")

    @property
    def __array_struct__(self) -> Any:
        raise AttributeError("a student object is not an array")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise Refused("a thing of the student's process cannot be copied or stored")


class CallableStandIn(StandIn):
    """A function, class or instance that can be called."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._link.call(self, args, kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        return read_signature(self._do("signature", self))

    @property
    def __bases__(self) -> tuple[type, ...]:
        if self._facts.kind != "class":
            raise AttributeError("__bases__")
        return tuple(self._facts.known_bases) or (object,)


class IteratorStandIn(StandIn):
    """A generator or another iterator."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        item = typed(self._do("next", self), list)
        if not item:
            raise StopIteration
        return item[0]


class CoroutineStandIn(StandIn):
    """What an `async` function gives; the student's process runs it to its end."""

    __slots__ = ()

    def __await__(self) -> Generator[None, None, Any]:
        return self._do("await", self)
        yield  # makes this a generator, as Python wants it


def iterate(value: Any) -> Iterator[Any]:
    """Return a true iterator over what the student's `iter` gave."""
    if issubclass(type(value), IteratorStandIn):
        return value
    if type(value) in (list, tuple, str, dict, set):
        return iter(value)
    raise TypeError("the student's object is not iterable")


def read_signature(items: Iterable[Any] | None) -> inspect.Signature:
    """Build a signature from [[name, kind, has default, default if plain], ...]."""
    if items is None:
        raise ValueError("no signature found")
    parameters = []
    for name, kind_number, has_default, plain in items:
        default = plain if has_default else inspect.Parameter.empty
        kind = list(inspect._ParameterKind)[kind_number]
        parameters.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(parameters)


for _cls in (RemoteObject, StandIn, *StandIn.__subclasses__()):  # not the docstrings
    _cls.__doc__ = property(lambda self: self._do("getattr", self, "__doc__"))  # pyright: ignore
