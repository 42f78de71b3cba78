"""What a thing of the student's process must not decide: attributes, operators.

A student object never decides a comparison with a value of the test: that would let
an object which answers "equal" to everything earn points. Operators between student
objects are passed on only where the instructor's own solution defines them. Names
that data has are passed on only where the solution has such a member, too.

The classes here hold no annotated attributes: a test that asks a student's function
for its `__annotations__` would find them.
"""

import operator as builtin_operators
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from course_tools.grading.bridge.data_names import is_data_name
from course_tools.grading.bridge.wire import WireError

if TYPE_CHECKING:
    from course_tools.grading.judge.judge_codec import JudgeCodec
    from course_tools.grading.judge.remote_classes import Facts

T = TypeVar("T")
READABLE = frozenset(["__name__", "__qualname__", "__doc__", "__annotations__"])
ARITHMETIC = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//"},
    **{"mod": "%", "pow": "**", "matmul": "@", "lshift": "<<", "rshift": ">>"},
    **{"and_": "&", "or_": "|", "xor": "^"},
}


# with these a test finds out how near something is to what it expects
COMPARING = frozenset(["sub", "truediv", "floordiv", "mod", "xor"])


class Refused(TypeError):
    """A test asked for something that a student object must not decide."""


class RefusedAttribute(Refused, AttributeError):
    """The same for an attribute, so that `hasattr` says no."""


class RemoteObject:
    """A thing in the student's process: its attributes and operators."""

    __slots__ = ("_link", "_handle", "_facts", "__weakref__")

    def __init__(self, link: "JudgeCodec", handle: int, facts: "Facts") -> None:
        object.__setattr__(self, "_link", link)
        object.__setattr__(self, "_handle", handle)
        object.__setattr__(self, "_facts", facts)

    def _do(self, operation: str, *args: Any) -> Any:
        return self._link.operate(operation, args)

    def _expected_data(self, what: str) -> str:
        return (
            f"an object of class {self._facts.type} was {what}; the test expects "
            "plain data here (a number, text, list, array or tensor)"
        )

    # -- attributes -----------------------------------------------------------------
    def __getattr__(self, name: str) -> Any:
        self._check_attribute(name)
        return self._do("getattr", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._do("setattr", self, name, value)

    def __delattr__(self, name: str) -> None:
        self._do("delattr", self, name)

    def _check_attribute(self, name: str) -> None:
        if name.startswith("__") and name.endswith("__") and name not in READABLE:
            raise AttributeError(f"{name} of a student object cannot be read")
        if is_data_name(name) and not (self._facts.has(name) or self._knows(name)):
            raise RefusedAttribute(self._expected_data(f"asked for .{name}"))

    def _knows(self, name: str) -> bool:
        return name in self._link.knowledge.members

    # -- comparisons ----------------------------------------------------------------
    def __eq__(self, other: object) -> bool:
        return self._compare("eq", "__eq__", "==", other, same=True)

    def __ne__(self, other: object) -> bool:
        return self._compare("ne", "__ne__", "!=", other, same=False)

    def __lt__(self, other: object) -> bool:
        return self._compare("lt", "__lt__", "<", other)

    def __le__(self, other: object) -> bool:
        return self._compare("le", "__le__", "<=", other)

    def __gt__(self, other: object) -> bool:
        return self._compare("gt", "__gt__", ">", other)

    def __ge__(self, other: object) -> bool:
        return self._compare("ge", "__ge__", ">=", other)

    def __hash__(self) -> int:
        if self._link.knowledge.allows(self._facts.type, "__hash__"):
            return typed(self._do("hash", self), int)
        return hash(("stand-in", self._handle))

    def _compare(
        self,
        operation: str,
        operator: str,
        sign: str,
        other: object,
        same: bool | None = None,
    ) -> bool:
        """`same` is the answer for one and the same object; None: there is none."""
        if same is not None and other is None:
            return not same
        if same is not None and self is other:
            return same
        knowledge = self._link.knowledge
        of_solution = self._facts.type in knowledge.operators
        locked = self._locked_class(other)
        if locked is not None and same is not None:
            return self._compare_locked(locked, other) is same
        if not issubclass(type(other), RemoteObject):
            if self._facts.plain is not None:
                return as_bool(
                    getattr(builtin_operators, operation)(self._facts.plain, other)
                )
            if same is not None and of_solution:
                return not same  # a student object never equals data of the test
            raise Refused(self._expected_data(f"compared ({sign}) with a value"))
        plain = same is not None and not knowledge.allows(self._facts.type, operator)
        if plain and (of_solution or self._facts.kind != "object"):
            return not same  # objects without __eq__ are compared by identity
        self._check_operator(operator, sign)
        return as_bool(self._do(operation, self, other))

    def _locked_class(self, other: object) -> type | None:
        """The class of a locked cell that both are of, if they are."""
        cls = self._facts.exact_class
        if cls is None or cls.__module__ != "__main__" or not self._link.is_locked(cls):
            return None
        if issubclass(type(other), RemoteObject):
            return cls if other._facts.exact_class is cls else None  # pyright: ignore
        return cls if type(other) is cls else None

    def _compare_locked(self, cls: type, other: object) -> bool:
        """The judge's own class compares; it only reads attributes there."""
        if cls.__eq__ is object.__eq__:
            return self is other
        own, there = (other, self) if type(other) is cls else (self, other)
        return as_bool(cls.__eq__(own, there))  # pyright: ignore[reportCallIssue]

    def refuse_difference(self) -> None:
        """What a value of the test was taken from says how near it is to that value.

        Made a number by the student's code, it would decide a comparison.
        """
        if self._is_difference():
            raise Refused(self._expected_data("made a number after a value was taken"))

    def _is_difference(self) -> bool:
        return self._handle in self._link.differences

    def _note_difference(self) -> None:
        self._link.differences[self._handle] = self

    def _check_operator(self, operator: str, sign: str) -> None:
        if not self._link.knowledge.allows(self._facts.type, operator):
            raise Refused(
                f"{sign} was used on an object of class {self._facts.type}, whose "
                "class in the solution does not define it; the test expects plain data"
            )


# -- arithmetic: the same method for every operator -----------------------------------
def _binary(
    operation: str, operator: str, sign: str, reflected: bool
) -> Callable[[RemoteObject, Any], Any]:
    def method(self: RemoteObject, other: Any) -> Any:
        self._check_operator(operator, sign)
        args = (other, self) if reflected else (self, other)
        of_difference = self._is_difference()
        with_value = not issubclass(type(other), RemoteObject)
        if not with_value:
            of_difference = of_difference or other._is_difference()
        result = self._do(operation, *args)
        if issubclass(type(result), RemoteObject):
            if of_difference or (with_value and operation in COMPARING):
                result._note_difference()
        elif with_value or of_difference:
            raise Refused(self._expected_data(f"combined ({sign}) with a value"))
        return result

    return method


def _unary(operation: str) -> Callable[[RemoteObject], Any]:
    def method(self: RemoteObject) -> Any:
        self._check_operator(f"__{operation}__", operation)
        if operation == "abs":
            self.refuse_difference()
        result = self._do(operation, self)
        if self._is_difference():
            if not issubclass(type(result), RemoteObject):
                raise Refused(self._expected_data(f"combined ({operation})"))
            result._note_difference()
        return result

    return method


for _name, _sign in ARITHMETIC.items():
    for _prefix in ("", "r"):
        _operator = f"__{_prefix}{_name.rstrip('_')}__"
        _method = _binary(_name, _operator, _sign, reflected=_prefix == "r")
        setattr(RemoteObject, _operator, _method)
for _name in ("neg", "pos", "invert", "abs"):
    setattr(RemoteObject, f"__{_name}__", _unary(_name))


def typed(value: Any, kind: type[T]) -> T:
    """Return an answer that must be of this very type: a subclass could lie."""
    if type(value) is not kind:
        raise WireError(f"the answer should be a {kind.__name__}")
    return value


def as_bool(value: Any) -> bool:
    return typed(value, bool)
