"""The names a test sees: the judge's own first, then the student's."""

import builtins
import contextlib
import types
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from course_tools.grading.judge.proxies import CallableStandIn, StandIn
from course_tools.grading.messages import SolutionFacts

if TYPE_CHECKING:
    from course_tools.grading.judge.judge_link import JudgeLink

CHANGEABLE = (list, dict, set, bytearray, np.ndarray, torch.Tensor)
Kept = tuple[dict[str, Any], dict[str, Any], set[str]]  # what `restore` needs
BUILTINS = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, types.BuiltinFunctionType | type) and name[0] != "_"
}


class JudgeNamespace(dict[str, Any]):
    """Globals of locked and test cells; missing names are asked of the student.

    Functions and classes of the instructor's solution belong to the student: a test
    that deletes or replaces one does so in the student's process too (for example to
    see whether one function uses another). No other name of a test ever reaches the
    student, so guessing the name of a variable of a hidden test gains nothing.
    """

    def __init__(self, solution: SolutionFacts) -> None:
        self.shared = frozenset(solution.functions)
        self.students = frozenset(solution.names)
        # for functions whose globals are not a plain dict, Python would ask
        # `__missing__` for every use of a builtin
        own = {name: BUILTINS[name] for name in BUILTINS if name not in self.students}
        super().__init__(own, __name__="__main__", __builtins__=builtins)
        self.deleted: set[str] = set()
        self.reserved: set[str] = set()
        self.locked: dict[str, Any] = {}
        self.locking = False  # a locked cell runs: what it defines is the judge's
        self.link: JudgeLink | None = None
        self.functions: dict[str, Any] = {}  # stand-ins of students' functions

    def __missing__(self, name: str) -> Any:
        is_builtin = hasattr(builtins, name) and name not in self.students
        own = is_builtin or name.startswith("__") or name in self.reserved
        if self.link is None or own:
            raise KeyError(name)
        if name in self.functions:
            return self.functions[name]
        if name in self.link.names_read:  # `x > 1 and x < 2` is about one x
            return self.link.names_read[name]
        value = self.link.lookup(name)
        if issubclass(type(value), CallableStandIn):
            self.functions[name] = value
        return value

    def __contains__(self, name: object) -> bool:
        """'x' in globals()"""
        if dict.__contains__(self, name) or not isinstance(name, str):
            return dict.__contains__(self, name)
        try:
            self.__missing__(name)
        except KeyError:
            return False
        return True

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __setitem__(self, name: str, value: Any) -> None:
        restored = name in self.deleted and issubclass(type(value), StandIn)
        shared = name in self.shared and not self.locking
        if self.link is not None and (shared or restored):
            self.functions.pop(name, None)
            dict.pop(self, name, None)
            self.link.store(name, value)
            return
        dict.__setitem__(self, name, value)

    def __delitem__(self, name: str) -> None:
        self.functions.pop(name, None)
        if dict.pop(self, name, self) is not self:
            return
        if self.link is None or not self.link.delete(name):
            raise KeyError(name)
        self.deleted.add(name)

    def reserve(self, names: Iterable[str]) -> None:
        """These names of a locked cell are never asked of the student.

        Should the cell fail, a test that uses its helpers must not get the student's.
        """
        self.reserved.update(name for name in names if name not in self.students)

    @contextlib.contextmanager
    def lock(self, names: Iterable[str]) -> Iterator[None]:
        """A locked cell that defines these names runs in here."""
        self.reserved.update(names)
        self.locking = True
        try:
            yield
        finally:
            self.locking = False
            self.functions.clear()
            for name in names:
                if dict.__contains__(self, name):
                    self.locked[name] = dict.get(self, name)

    def hand_over(self, names: Iterable[str], changed: Iterable[str] = ()) -> None:
        """From here on these names are the student's (a solution cell ran).

        Of `changed`, which the solution changes in place, only data is handed over.
        """
        self.functions.clear()
        data = [name for name in changed if type(dict.get(self, name)) in CHANGEABLE]
        for name in (*names, *data):
            dict.pop(self, name, None)
            self.reserved.discard(name)

    def keep(self) -> Kept:
        """Return what `restore` needs."""
        return dict(self), dict(self.locked), set(self.reserved)

    def restore(self, kept: Kept) -> None:
        """Forget everything that was bound since `keep`."""
        self.link = None
        self.functions.clear()
        self.deleted.clear()
        dict.clear(self)
        dict.update(self, kept[0])
        _, self.locked, self.reserved = kept

    def forget_student(self) -> None:
        """Drop everything that belonged to a student process which has ended."""
        self.functions.clear()
        self.deleted.clear()
        for name in [n for n, v in self.items() if issubclass(type(v), StandIn)]:
            dict.pop(self, name)


class MainModule(types.ModuleType):
    """`__main__` as tests see it: unittest.main(), patch("__main__.f"), doctest."""

    _names: JudgeNamespace

    def __init__(self, names: JudgeNamespace) -> None:
        super().__init__("__main__")
        object.__setattr__(self, "_names", names)

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_names")[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self._names[name] = value

    def __delattr__(self, name: str) -> None:
        try:
            del self._names[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[str]:
        return [name for name in dict.keys(self._names) if name not in BUILTINS]
