"""Which classes a student's process may name, and what the judge makes of them."""

import builtins
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from course_tools.grading.bridge import pandas_values
from course_tools.grading.bridge.wire import WireError
from course_tools.grading.limits import (
    CLASS_BASES,
    KIND_CHARACTERS,
    NAME_CHARACTERS,
    SHORT_TEXT_CHARACTERS,
    STUDENT_TEXT_CHARACTERS,
)

if TYPE_CHECKING:
    from course_tools.grading.judge.namespace import JudgeNamespace

# A student object may not pass for data: data crosses as data.
DATA_CLASSES = (np.ndarray, np.generic, torch.Tensor, int, float, complex, str, bytes)
DATA_CLASSES += (list, dict, set, frozenset, tuple, bytearray, type, type(None))
# classes of packages whose objects no test compares with data
OPEN_PACKAGES = ("matplotlib.", "torch.utils.hooks")


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

    def has(self, name: str) -> bool:
        """Does it own this name although data has it, too? (`fig.axes`, `RED.name`)"""
        if self.of_enum and name in ("name", "value"):
            return True
        cls = self.exact_class
        return (
            cls is not None
            and cls.__module__.startswith(OPEN_PACKAGES)
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


def shared_class(name: Any) -> type:
    """Return a builtin or numpy class for `module:name`; others are not accepted."""
    module, _, bare = _text(name, SHORT_TEXT_CHARACTERS).partition(":")
    owner = {"builtins": builtins, "numpy": np, "torch": torch}.get(module)
    cls = getattr(owner, bare, None)
    if not isinstance(cls, type):
        raise WireError("an unknown class was named")
    return cls


def error_base(mro: Any) -> type[BaseException]:
    """Return the nearest exception class of that line that the judge has itself."""
    if type(mro) is not list:
        raise WireError("an exception has no list of bases")
    for name in mro[:CLASS_BASES]:
        module, _, bare = _text(name, NAME_CHARACTERS).rpartition(".")
        if module == "__main__" or module.startswith("course_tools.grading"):
            continue
        cls = getattr(sys.modules.get(module), bare, None)
        if isinstance(cls, type) and issubclass(cls, BaseException):
            return cls
    return RuntimeError


class ErrorClasses:
    """Classes of the judge for the exception classes of one student process."""

    def __init__(self, names: "JudgeNamespace | None" = None) -> None:
        self.of_students: dict[tuple[str, ...], type[BaseException]] = {}
        self.names = names

    def get(self, mro: Any) -> type[BaseException]:
        """Return the judge's class, or one made for a class of the student's own."""
        if type(mro) is not list:
            raise WireError("an exception has no list of bases")
        return self._of([_text(item, NAME_CHARACTERS) for item in mro[:CLASS_BASES]])

    def _of(self, mro: list[str]) -> type[BaseException]:
        if not mro:
            return RuntimeError
        module, _, bare = mro[0].rpartition(".")
        if module != "__main__":
            cls = error_base(mro[:1])
            known = cls is not RuntimeError or bare == "RuntimeError"
            return cls if known else self._of(mro[1:])
        locked = dict.get(self.names.locked, bare) if self.names is not None else None
        if isinstance(locked, type) and issubclass(locked, BaseException):
            return locked
        key = tuple(mro)
        if key not in self.of_students:
            self.of_students[key] = type(bare, (self._of(mro[1:]),), {})
        return self.of_students[key]

    def build(self, description: Any) -> BaseException:
        """Return the exception that an answer describes."""
        if type(description) is not dict or type(description.get("text")) is not str:
            raise WireError("an error comes without a text")
        _text(description.get("type"), SHORT_TEXT_CHARACTERS)
        mro = description.get("mro")
        has_handle = type(description.get("handle")) is int
        if not has_handle or type(mro) is not list or not mro:
            raise WireError("an error comes without its class")
        text = description["text"][:STUDENT_TEXT_CHARACTERS]
        error: Any = make_error(self.get(mro), text)
        state = description.get("state")
        for key, value in state.items() if type(state) is dict else ():
            plain = type(value) in (int, float, str, bool)
            if plain and key.isidentifier() and not key.startswith("_"):
                error.__dict__[key] = value
        error.student_traceback = _text(
            description.get("traceback", ""), STUDENT_TEXT_CHARACTERS
        )
        return error


def make_error(cls: type[BaseException], text: str) -> BaseException:
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
