"""Messages as plain data and back: whatever arrives is checked against its dataclass.

A library would do this too, but the code runs in every judge and every warm process,
beside hostile neighbours: it is small, imports nothing and can be read at one go.
"""

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Message = TypeVar("Message")
Reader = Callable[[Any, str], Any]


class BadMessage(ValueError):
    """What arrived is not the message that was expected; the text says why."""


@dataclass(frozen=True)
class Between:
    """The smallest and the largest number that is allowed."""

    least: float = -math.inf
    most: float = math.inf


@dataclass(frozen=True)
class Longest:
    """How many characters or items there may be."""

    count: int


def encode(message: Any) -> dict[str, Any]:
    """Return the fields of a dataclass as data that JSON can hold."""
    return {name: _plain(getattr(message, name)) for name in _names(type(message))}


@functools.cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        return encode(value)
    return value


def decode(kind: type[Message], data: object) -> Message:
    """Return the message that `data` describes, or raise BadMessage."""
    return _reader(kind)(data, kind.__name__)


@functools.cache
def _reader(kind: Any) -> Reader:
    """Return what reads a value of this annotation."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _bounded(_reader(parts[0]), parts[1])
    if origin is typing.Literal:
        return functools.partial(_one_of, parts)
    if origin in (typing.Union, types.UnionType):
        (other,) = (part for part in parts if part is not types.NoneType)
        return functools.partial(_unless_none, _reader(other))
    if origin in (tuple, list):
        return functools.partial(_items, origin, _reader(parts[0]))
    if origin is dict:
        return functools.partial(_table, _reader(parts[1]))
    if dataclasses.is_dataclass(kind):
        return _object(kind)
    return {float: _number, Any: _anything}.get(kind) or functools.partial(_exact, kind)


def _exact(kind: type, value: Any, where: str) -> Any:
    """True is no whole number here, and no text is a subclass of a text."""
    if type(value) is not kind:
        raise BadMessage(f"{where} is no {kind.__name__}")
    return value


def _number(value: Any, where: str) -> float:
    if type(value) not in (int, float) or not -1e300 < value < 1e300:
        raise BadMessage(f"{where} is no finite number")
    return float(value)


def _anything(value: Any, where: str) -> Any:
    return value


def _one_of(allowed: tuple[Any, ...], value: Any, where: str) -> Any:
    if type(value) is not str or value not in allowed:
        raise BadMessage(f"{where} is none of {', '.join(map(str, allowed))}")
    return value


def _unless_none(reader: Reader, value: Any, where: str) -> Any:
    return None if value is None else reader(value, where)


def _items(kind: type, reader: Reader, value: Any, where: str) -> Any:
    if type(value) is not list:
        raise BadMessage(f"{where} is no list")
    return kind([reader(item, where) for item in value])


def _table(reader: Reader, value: Any, where: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise BadMessage(f"{where} is no table")
    return {_exact(str, key, where): reader(item, where) for key, item in value.items()}


def _bounded(reader: Reader, bound: Between | Longest) -> Reader:
    def read(value: Any, where: str) -> Any:
        value = reader(value, where)
        if isinstance(bound, Longest):
            if len(value) > bound.count:
                raise BadMessage(f"{where} is longer than {bound.count}")
        elif not bound.least <= value <= bound.most:
            raise BadMessage(f"{where} is not from {bound.least} to {bound.most}")
        return value

    return read


def _object(kind: Any) -> Reader:
    """Return what reads a dataclass: no name unknown, none that is needed missing."""
    hints = typing.get_type_hints(kind, include_extras=True)
    readers = {name: _reader(hints[name]) for name in _names(kind)}
    needed = {
        field.name
        for field in dataclasses.fields(kind)
        if field.default is field.default_factory is dataclasses.MISSING
    }

    def read(value: Any, where: str) -> Any:
        if type(value) is not dict:
            raise BadMessage(f"{where} is no object")
        if not needed <= value.keys() <= readers.keys():
            odd = sorted((needed - value.keys()) | (value.keys() - readers.keys()))
            raise BadMessage(f"{where}: unknown or missing: {', '.join(odd)[:200]}")
        return kind(**{n: readers[n](v, f"{where}.{n}") for n, v in value.items()})

    return read
