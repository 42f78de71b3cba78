"""Values of the standard library that cross as data: exact types, checked parts."""

import collections
import datetime
import decimal
import fractions
import pathlib
from collections.abc import Callable
from types import UnionType
from typing import Any, NamedTuple

from course_tools.grading.bridge.wire import WireError
from course_tools.grading.limits import EXPONENT, NUMBER_CHARACTERS

FACTORIES: dict[str, type] = {
    kind.__name__: kind for kind in (int, float, str, list, dict, set, tuple)
}


class Kind(NamedTuple):
    """A type that crosses: how it is taken apart and put together again."""

    cls: type
    parts: Callable[[Any], list[Any]]
    types: tuple[type | UnionType, ...]
    make: Callable[..., Any]


def _decimal(text: str) -> decimal.Decimal:
    """A number of a million digits is small as a text and huge in a calculation."""
    number = decimal.Decimal(text)
    if number.is_finite() and abs(number.adjusted()) > EXPONENT:
        raise WireError("a decimal number is out of bounds")
    return number


def _default(name: str, items: dict[Any, Any]) -> collections.defaultdict[Any, Any]:
    return collections.defaultdict(FACTORIES.get(name), items)


KINDS = {
    "fraction": Kind(
        fractions.Fraction,
        lambda v: [v.numerator, v.denominator],
        (int, int),
        fractions.Fraction,
    ),
    "decimal": Kind(decimal.Decimal, lambda v: [str(v)], (str,), _decimal),
    "timedelta": Kind(
        datetime.timedelta,
        lambda v: [v.days, v.seconds, v.microseconds],
        (int, int, int),
        datetime.timedelta,
    ),
    "path": Kind(type(pathlib.Path()), lambda v: [str(v)], (str,), pathlib.Path),
    "deque": Kind(
        collections.deque,
        lambda v: [list(v), v.maxlen],
        (list, int | None),
        collections.deque,
    ),
    "counter": Kind(
        collections.Counter,
        lambda v: [dict(v)],
        (dict,),
        collections.Counter,
    ),
    "ordered": Kind(
        collections.OrderedDict,
        lambda v: [dict(v)],
        (dict,),
        collections.OrderedDict,
    ),
    "default": Kind(
        collections.defaultdict,
        lambda v: [getattr(v.default_factory, "__name__", ""), dict(v)],
        (str, dict),
        _default,
    ),
}
for _kind in (datetime.date, datetime.datetime, datetime.time):
    KINDS[_kind.__name__] = Kind(
        _kind, lambda v: [v.isoformat()], (str,), _kind.fromisoformat
    )
NAMES = {kind.cls: name for name, kind in KINDS.items()}


def parts(name: str, value: Any) -> list[Any]:
    """Return the plain parts of a value whose type is that of `name`."""
    return KINDS[name].parts(value)


def build(name: str, received: list[Any]) -> Any:
    """Return the value made of these parts, which may come from anywhere."""
    if name not in KINDS:
        raise WireError("an unknown kind of value")
    kind = KINDS[name]
    if len(received) != len(kind.types):
        raise WireError(f"a {name} has other parts")
    for part, expected in zip(received, kind.types, strict=True):
        long = isinstance(part, str) and len(part) > NUMBER_CHARACTERS
        long |= isinstance(part, int) and part.bit_length() > 4 * NUMBER_CHARACTERS
        if long or not isinstance(part, expected):
            raise WireError(f"a part of a {name} is not what it should be")
    return kind.make(*received)
