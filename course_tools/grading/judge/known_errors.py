"""Which exception classes may come out of a student's process: these, by name.

An exception does more than to say that something went wrong. StopIteration ends a
loop of the test, SkipTest ends a test case as if it had passed, SystemExit ends more.
So there is a list of what may cross; anything else is a RuntimeError for the judge.
"""

import builtins
import sys
from typing import Any

CONTROL = (StopIteration, StopAsyncIteration)  # the other ones are no Exceptions
BUILTIN = frozenset(
    name
    for name, cls in vars(builtins).items()
    if isinstance(cls, type)
    and issubclass(cls, Exception)
    and not issubclass(cls, CONTROL)
)
OF_MODULES = {
    "builtins": BUILTIN,
    "binascii": {"Error", "Incomplete"},
    "copy": {"Error"},
    "csv": {"Error"},
    "_csv": {"Error"},
    "dataclasses": {"FrozenInstanceError"},
    "decimal": {"DivisionByZero", "Inexact", "InvalidOperation", "Overflow"},
    "io": {"UnsupportedOperation"},
    "json.decoder": {"JSONDecodeError"},
    "numpy": {"AxisError", "ComplexWarning", "VisibleDeprecationWarning"},
    "numpy.exceptions": {
        *("AxisError", "ComplexWarning", "DTypePromotionError", "RankWarning"),
        *("TooHardError", "VisibleDeprecationWarning"),
    },
    "numpy.linalg": {"LinAlgError"},
    "numpy.linalg.linalg": {"LinAlgError"},
    "numpy.linalg._linalg": {"LinAlgError"},
    "pandas.errors": {
        *("DataError", "EmptyDataError", "IndexingError", "IntCastingNaNError"),
        *("InvalidIndexError", "MergeError", "ParserError", "UndefinedVariableError"),
    },
    "queue": {"Empty", "Full"},
    "_queue": {"Empty"},
    "re": {"error", "PatternError"},
    "re._constants": {"error", "PatternError"},
    "sre_constants": {"error"},
    "statistics": {"StatisticsError"},
    "struct": {"error"},
    "subprocess": {"CalledProcessError", "SubprocessError", "TimeoutExpired"},
    "torch": {"AcceleratorError", "OutOfMemoryError"},
    "torch._C": {"_LinAlgError"},
    "torch.linalg": {"LinAlgError"},
    "zlib": {"error"},
}


def known_error(name: str) -> type[Exception] | None:
    """Return the judge's own class for module.name, if it is on the list."""
    module, _, bare = name.rpartition(".")
    if bare not in OF_MODULES.get(module, ()):
        return None
    cls = getattr(sys.modules.get(module), bare, None)
    return cls if isinstance(cls, type) and is_harmless(cls) else None


def is_harmless(cls: Any) -> bool:
    """Is it an exception that decides nothing, whoever has defined it?"""
    return (
        isinstance(cls, type)
        and issubclass(cls, Exception)
        and all(_is_listed(base) for base in cls.__mro__)
    )


def _is_listed(cls: type) -> bool:
    if cls in (object, BaseException) or cls.__module__ == "__main__":
        return True
    return cls.__name__ in OF_MODULES.get(cls.__module__, ())
