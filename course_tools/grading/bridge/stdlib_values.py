"""Values of the standard library that cross as data: exact types, checked parts."""

import collections
import datetime
import decimal
import fractions
import pathlib

from course_tools.grading.bridge.wire import WireError
from course_tools.grading.limits import EXPONENT, NUMBER_CHARACTERS

FACTORIES = {kind.__name__: kind for kind in (int, float, str, list, dict, set, tuple)}


def _decimal(text):
    """A number of a million digits is small as a text and huge in a calculation."""
    made = decimal.Decimal(text)
    if made.is_finite() and abs(made.adjusted()) > EXPONENT:
        raise WireError("a decimal number is out of bounds")
    return made


def _default(name, items):
    return collections.defaultdict(FACTORIES.get(name), items)


# name -> (type, its parts, types of the parts, how it is made of them)
KINDS = {
    "fraction": (
        fractions.Fraction,
        lambda v: [v.numerator, v.denominator],
        (int, int),
        fractions.Fraction,
    ),
    "decimal": (decimal.Decimal, lambda v: [str(v)], (str,), _decimal),
    "timedelta": (
        datetime.timedelta,
        lambda v: [v.days, v.seconds, v.microseconds],
        (int, int, int),
        datetime.timedelta,
    ),
    "path": (type(pathlib.Path()), lambda v: [str(v)], (str,), pathlib.Path),
    "deque": (
        collections.deque,
        lambda v: [list(v), v.maxlen],
        (list, int | None),
        collections.deque,
    ),
    "counter": (
        collections.Counter,
        lambda v: [dict(v)],
        (dict,),
        collections.Counter,
    ),
    "ordered": (
        collections.OrderedDict,
        lambda v: [dict(v)],
        (dict,),
        collections.OrderedDict,
    ),
    "default": (
        collections.defaultdict,
        lambda v: [getattr(v.default_factory, "__name__", ""), dict(v)],
        (str, dict),
        _default,
    ),
}
for _kind in (datetime.date, datetime.datetime, datetime.time):
    _parts = (_kind, lambda v: [v.isoformat()], (str,), _kind.fromisoformat)
    KINDS[_kind.__name__] = _parts
NAMES = {kind: name for name, (kind, *_) in KINDS.items()}


def parts(name, value):
    """Return the plain parts of a value whose type is that of `name`."""
    return KINDS[name][1](value)


def build(name, given):
    """Return the value made of these parts, which may come from anywhere."""
    if name not in KINDS:
        raise WireError("an unknown kind of value")
    _, _, types, make = KINDS[name]
    if len(given) != len(types):
        raise WireError(f"a {name} has other parts")
    for part, kind in zip(given, types, strict=True):
        long = isinstance(part, str) and len(part) > NUMBER_CHARACTERS
        if long or not isinstance(part, kind):
            raise WireError(f"a part of a {name} is not what it should be")
    return make(*given)
