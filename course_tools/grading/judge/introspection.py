"""Functions that look at things in a way a stand-in cannot answer by itself.

Tests use them as ever: `hasattr(v, "__len__")`, `type(v)`, `inspect.getsource(f)`.
"""

import doctest
import inspect
from typing import TYPE_CHECKING, Any, NoReturn

from course_tools.grading.judge.proxies import StandIn
from course_tools.grading.judge.proxy_base import Refused

if TYPE_CHECKING:
    from course_tools.grading.judge.namespace import JudgeNamespace

_getsource = inspect.getsource


def install(names: "JudgeNamespace") -> None:
    """Let test cells see these in place of the originals."""
    for name, function in (("hasattr", has_attribute), ("__class_of__", class_of)):
        dict.__setitem__(names, name, function)
    inspect.getsource = get_source
    doctest.testmod = no_testmod


def has_attribute(value: Any, name: str) -> bool:
    """A stand-in has every operator; whether the student's object has is asked."""
    operator = issubclass(type(value), StandIn) and name.startswith("__")
    if not operator:
        return hasattr(value, name)
    return value._do("hasattr", value, name) is True


def class_of(value: Any) -> Any:
    """What `type(value)` is in a test: never a class of data for a student object."""
    if not issubclass(type(value), StandIn):
        return type(value)
    if value._facts.exact_class is not None:
        return value._facts.exact_class
    cls = value._do("type", value)
    if not issubclass(type(cls), StandIn):
        raise Refused(value._expected_data("asked for its type"))
    return cls


def get_source(value: Any) -> str:
    if not issubclass(type(value), StandIn):
        return _getsource(value)
    source = value._do("source", value)
    if type(source) is not str:
        raise OSError("could not get source code")
    return source


def no_testmod(*_: Any, **__: Any) -> NoReturn:
    """It would look through a module in which there are no functions of students."""
    raise TypeError(
        "doctest.testmod() finds no student functions; use DocTestFinder().find(f)"
    )
