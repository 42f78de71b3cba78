"""Modules an answer may not use are there in name only: using one is a breach.

Names that a locked cell or an import binds to such a module hold a stand-in. What is
taken from it stands in, too, until it is called or reckoned with; that raises
`Barred`, and the judge is told. Which modules are meant depends on the question.

This holds against an answer that simply uses what is there. It runs beside the
answer, in one process, and does not hold against one that takes it apart.
"""

import ast
import builtins
import types
from collections.abc import Iterable, Mapping
from typing import Any

from course_tools.grading.plan.solution_facts import parse
from course_tools.grading.rules import FREE

OPERATORS = "call iter next len getitem setitem contains enter bool int float index "
OPERATORS += "add radd sub rsub mul rmul matmul rmatmul truediv rtruediv pow rpow neg "
OPERATORS += "lt le gt ge array"


class Barred(RuntimeError):
    """An answer used a module that the rules of the set do not allow."""


class Guard:
    """Knows what is allowed now, and what was used nevertheless."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}  # the globals of cells
        self.free = FREE  # modules that every answer may use
        self.allowed: frozenset[str] | None = None  # None: everything
        self.used = ""  # the first barred thing that was used
        self.original = builtins.__import__

    def begin(self, names: dict[str, Any], free: Iterable[str]) -> None:
        """Watch over the imports of cells with these globals."""
        self.names, self.free = names, FREE.union(free)
        builtins.__import__ = self._import

    def allow(self, modules: Iterable[str] | None) -> None:
        """From here on these modules may be used, and the free ones."""
        self.allowed = None if modules is None else self.free.union(modules)

    def bars(self, module: str) -> bool:
        return self.allowed is not None and _top(module) not in self.allowed

    def refuse(self, thing: str) -> None:
        self.used = self.used or thing
        raise Barred(f"{thing} is not for answers to this question")

    def take_used(self) -> str:
        used, self.used = self.used, ""
        return used

    def cover(self, source: str) -> None:
        """What a locked cell has imported is from now on seen through the guard."""
        imported = _imported(source)
        for name, value in list(self.names.items()):
            if type(value) is types.ModuleType:
                self.names[name] = self.guarded(value)
            elif name in imported and self.bars(imported[name]):
                self.names[name] = StandIn(self, f"{imported[name]}.{name}")

    def guarded(self, module: types.ModuleType) -> types.ModuleType:
        """The module, or what asks this guard before anything is taken from it."""
        free = _top(module.__name__) in self.free
        return module if free else GuardedModule(self, module)

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - as Python calls it
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: tuple[str, ...] = (),
        level: int = 0,
    ) -> Any:
        """`import` as ever, but for imports of cells."""
        if globals is not self.names:
            return self.original(name, globals, locals, fromlist, level)
        if self.bars(name):
            return StandIn(self, name if fromlist else _top(name))
        return self.guarded(self.original(name, globals, locals, fromlist, level))


class GuardedModule(types.ModuleType):
    """A module that is looked at through the guard."""

    def __init__(self, guard: Guard, module: types.ModuleType) -> None:
        super().__init__(module.__name__, module.__doc__)
        self.__dict__.update(_guard=guard, _module=module)
        if hasattr(module, "__all__"):
            self.__dict__["__all__"] = module.__all__

    def __getattr__(self, name: str) -> Any:
        guard, module = self.__dict__["_guard"], self.__dict__["_module"]
        if guard.bars(module.__name__):
            return StandIn(guard, f"{module.__name__}.{name}")
        value = getattr(module, name)
        return guard.guarded(value) if type(value) is types.ModuleType else value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_module"], name, value)

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_module"])


class StandIn:
    """Something of a barred module: it may be named, not used."""

    def __init__(self, guard: Guard, name: str) -> None:
        self.__dict__.update(_guard=guard, _name=name)

    def __getattr__(self, name: str) -> "StandIn":
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(self.__dict__["_guard"], f"{self.__dict__['_name']}.{name}")

    def __instancecheck__(self, value: object) -> bool:
        return False  # an answer cannot have made such a value


def _refuse(stand_in: StandIn, *_: object, **__: object) -> None:
    stand_in.__dict__["_guard"].refuse(stand_in.__dict__["_name"])


for operator in OPERATORS.split():
    setattr(StandIn, f"__{operator}__", _refuse)


def _top(module: str) -> str:
    return module.partition(".")[0]


def _imported(source: str) -> dict[str, str]:
    """{name: module} of `from module import name` in a cell."""
    nodes = [node for node in parse(source).body if isinstance(node, ast.ImportFrom)]
    return {
        alias.asname or alias.name: node.module or ""
        for node in nodes
        for alias in node.names
    }


guard = Guard()  # of this process; stand-ins that a fork brought along know it
