"""Functions that look at things in a way a stand-in cannot answer by itself.

Tests use them as ever: `hasattr(v, "__len__")`, `type(v)`, `inspect.getsource(f)`.
"""

import doctest
import inspect

from course_tools.grading.judge.proxies import Refused, StandIn

_getsource = inspect.getsource


def install(names):
    """Let test cells see these in place of the originals."""
    for name, function in (("hasattr", has_attribute), ("__class_of__", class_of)):
        dict.__setitem__(names, name, function)
    inspect.getsource = get_source
    doctest.testmod = no_testmod


def has_attribute(value, name):
    """A stand-in has every operator; whether the student's object has is asked."""
    own = issubclass(type(value), StandIn) and name.startswith("__")
    if not own:
        return hasattr(value, name)
    return value._do("hasattr", value, name) is True


def class_of(value):
    """What `type(value)` is in a test: never a class of data for a student object."""
    if not issubclass(type(value), StandIn):
        return type(value)
    if value._facts.exact_class is not None:
        return value._facts.exact_class
    found = value._do("type", value)
    if not issubclass(type(found), StandIn):
        raise Refused(value._expected_data("asked for its type"))
    return found


def get_source(value):
    if not issubclass(type(value), StandIn):
        return _getsource(value)
    found = value._do("source", value)
    if type(found) is not str:
        raise OSError("could not get source code")
    return found


def no_testmod(*_, **__):
    """It would look through a module in which there are no functions of students."""
    raise TypeError(
        "doctest.testmod() finds no student functions; use DocTestFinder().find(f)"
    )
