"""Which classes a student's process may name, and what the judge makes of them."""

import builtins
import collections.abc
import enum
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from course_tools.grading.bridge import pandas_values
from course_tools.grading.bridge.answers import Raised
from course_tools.grading.bridge.wire import WireError
from course_tools.grading.judge.known_errors import is_harmless, known_error
from course_tools.grading.limits import (
    CLASS_BASES,
    ERROR_NAME_CHARACTERS,
    KIND_CHARACTERS,
    NAME_CHARACTERS,
    SHORT_TEXT_CHARACTERS,
)

if TYPE_CHECKING:
    from course_tools.grading.judge.namespace import JudgeNamespace

# A student object may not pass for data: data crosses as data.
DATA_CLASSES = (np.ndarray, np.generic, torch.Tensor, int, float, complex, str, bytes)
DATA_CLASSES += (list, dict, set, frozenset, tuple, bytearray, type, type(None))
# classes of packages whose objects no test compares with data
OPEN_PACKAGES = ("matplotlib.", "torch.utils.hooks")


SHARED = {
    **{f"builtins:{n}": c for n, c in vars(builtins).items() if isinstance(c, type)},
    **{f"numpy:{n}": c for n, c in vars(np).items() if isinstance(c, type)},
    "torch:Tensor": torch.Tensor,
}
SHARED = {
    name: cls
    for name, cls in SHARED.items()
    if is_harmless(cls) or not issubclass(cls, BaseException)
}


class Facts:
    """What the student's process says about a thing, checked and shortened."""

    __slots__ = (
        "kind",
        "name",
        "type",
        "claimed_class",
        "exact_class",
        "known_bases",
        "of_enum",
        "plain",
        "member",
    )

    def __init__(self, description: Any, names: "JudgeNamespace") -> None:
        if type(description) is not dict:
            raise WireError("a handle comes without a description")
        self.kind = _text(description.get("kind"), KIND_CHARACTERS)
        self.name = _text(description.get("name"), SHORT_TEXT_CHARACTERS)
        self.type = _text(description.get("type"), SHORT_TEXT_CHARACTERS)
        mro = description.get("mro")
        if type(mro) is not list or len(mro) > CLASS_BASES:
            raise WireError("a class has no proper list of bases")
        classes = [known_class(_text(name, NAME_CHARACTERS), names) for name in mro]
        self.known_bases = [cls for cls in classes if cls is not None]
        instance = self.kind not in ("class", "exception", "module")
        self.claimed_class = (
            self.known_bases[0] if instance and self.known_bases else None
        )
        self.exact_class = classes[0] if instance and classes else None
        self.of_enum = "enum.Enum" in mro
        self.plain = _plain(description.get("plain"))
        self.member = None
        if self.of_enum and instance:
            self.member = _member(mro[0], description.get("member"), names)

    def has(self, name: str) -> bool:
        """Does it own this name although data has it, too? (`fig.axes`, `RED.name`)"""
        if self.of_enum and name in ("name", "value"):
            return True
        cls = self.exact_class
        return (
            cls is not None
            and cls.__module__.startswith(OPEN_PACKAGES)
            and not issubclass(cls, collections.abc.Set)
            and hasattr(cls, name)
        )


def known_class(name: str, names: "JudgeNamespace") -> type | None:
    """Return the judge's own class of that name, unless it is a class of data."""
    module, _, qualname = name.rpartition(".")
    if module == "__main__":
        cls = dict.get(names, qualname)
    else:
        cls = getattr(sys.modules.get(module), qualname, None)
    if not isinstance(cls, type) or cls is object or issubclass(cls, DATA_CLASSES):
        return None
    if issubclass(cls, BaseException) or pandas_values.is_class_of_data(cls):
        return None
    return cls


def _plain(value: Any) -> Any:
    """The number or text that an object of a class derived from these is."""
    if type(value) not in (int, float, str, type(None)):
        raise WireError("a derived value is no number and no text")
    return value


def _member(name: str, member: Any, names: "JudgeNamespace") -> enum.Enum | None:
    """Return the judge's own member of an enumeration in a locked cell."""
    cls = dict.get(names.locked, name.removeprefix("__main__."))
    if not isinstance(cls, enum.EnumMeta) or type(member) is not str:
        return None
    members: dict[str, Any] = dict(cls.__members__)
    return members.get(member)


def shared_class(name: Any) -> type:
    """Return a builtin or numpy class for `module:name`; others are not accepted."""
    cls = SHARED.get(_text(name, SHORT_TEXT_CHARACTERS))
    if cls is None:
        raise WireError("an unknown class was named")
    return cls


class ErrorClasses:
    """Classes of the judge for the exception classes of one student process."""

    def __init__(self, names: "JudgeNamespace | None" = None) -> None:
        self.of_students: dict[tuple[str, ...], type[Exception]] = {}
        self.names = names

    def get(self, mro: Any) -> type[Exception]:
        """Return the judge's class, or one made for a class of the student's own."""
        if type(mro) is not list:
            raise WireError("an exception has no list of bases")
        return self._of([_text(item, NAME_CHARACTERS) for item in mro[:CLASS_BASES]])

    def _of(self, mro: list[str]) -> type[Exception]:
        if not mro:
            return RuntimeError
        module, _, bare = mro[0].rpartition(".")
        if module != "__main__":
            return known_error(mro[0]) or self._of(mro[1:])
        locked: Any = (
            dict.get(self.names.locked, bare) if self.names is not None else None
        )
        if is_harmless(locked) and locked.__module__ == "__main__":
            return locked
        key = tuple(mro)
        if key not in self.of_students:
            fields = {"__module__": "__main__"}
            self.of_students[key] = type(bare, (self._of(mro[1:]),), fields)
        return self.of_students[key]

    def build(self, raised: Raised) -> Exception:
        """Return the exception that an answer describes."""
        if not raised.bases:
            raise WireError("an error comes without its class")
        cls, name = self.get(raised.bases), raised.bases[0].rpartition(".")[2]
        text = raised.text
        if cls.__name__ != name:  # one that may not cross, but its name may
            text = f"{name[:ERROR_NAME_CHARACTERS]}: {text}"
        error: Any = make_error(cls, text)
        for key, value in raised.state.items():
            plain = type(value) in (int, float, str, bool)
            own = not key.startswith("_") and not hasattr(type(error), key)
            if plain and key.isidentifier() and own:
                error.__dict__[key] = value
        error.student_traceback = raised.traceback
        return error


def make_error(cls: type[Exception], text: str) -> Exception:
    """Return an instance of `cls` with a message, whatever its constructor wants."""
    try:
        return cls(text)
    except Exception:
        error = cls.__new__(cls)
        error.args = (text,)
        return error


def _text(value: Any, limit: int) -> str:
    if type(value) is not str:
        raise WireError("a description holds something that is not text")
    return value[:limit]
