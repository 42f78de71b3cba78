"""How a test's own things are sent to student code when they are not data.

Functions become callbacks. Classes, functions of installed modules and modules are
named, and looked up on the other side. Instances of classes that both sides have
(locked cells, installed packages) are sent as class name and attributes.
"""

import functools
import sys
import types
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
import torch

from course_tools.grading.bridge.encode import CannotCross, Encoder

if TYPE_CHECKING:
    from course_tools.grading.judge.judge_codec import JudgeCodec

CALLABLE = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
CALLABLE += (functools.partial,)


def encode_thing(link: "JudgeCodec", value: Any, encoder: Encoder) -> list[Any] | None:
    """Return a skeleton for `value`, or None if the codec is to try."""
    if isinstance(value, types.ModuleType):
        return ["mod", value.__name__]
    if isinstance(value, type):
        return _class(link, value)
    if isinstance(value, np.random.Generator):
        bits = value.bit_generator
        return ["rng", type(bits).__name__, encoder.encode(bits.state)]
    if isinstance(value, torch.Generator):
        return ["rng", "torch", encoder.encode(value.get_state().numpy().tobytes())]
    if isinstance(value, CALLABLE):
        name = _shared_name(value)
        if name is not None:
            return ["ty", name]
        return ["cb", link.callback_number(value), getattr(value, "__name__", "test")]
    if isinstance(value, mock.Mock):
        return ["cb", link.callback_number(value), "mock"]
    if isinstance(value, np.ufunc):
        return ["ty", f"numpy:{value.__name__}"]
    return _instance(link, value, encoder)


def _class(link: "JudgeCodec", cls: type) -> list[Any]:
    name = _shared_name(cls)
    if name is None and dict.get(link.names.locked, cls.__qualname__) is cls:
        name = f"__main__:{cls.__qualname__}"
    if name is None:
        return ["cb", link.callback_number(cls), cls.__name__]
    return ["ty", name]


def _shared_name(value: Any) -> str | None:
    """Return module:qualname if that is where both sides find the very same thing."""
    module = getattr(value, "__module__", None)
    path = getattr(value, "__qualname__", "<none>")
    if module is None or module == "__main__" or "<" in path:
        return None
    there: Any = sys.modules.get(module)
    for part in path.split("."):
        there = getattr(there, part, None)
    return f"{module}:{path}" if there is value else None


def _instance(link: "JudgeCodec", value: Any, encoder: Encoder) -> list[Any] | None:
    cls = type(value)
    if cls.__module__ == "builtins" or not hasattr(value, "__dict__"):
        return None
    if isinstance(value, dict | list | tuple | set | str | int | float):
        return None
    skeleton = _class(link, cls)
    if skeleton[0] != "ty":
        raise CannotCross(
            f"an object of class {cls.__name__} cannot be sent to student code: its "
            "class is defined in a test cell; define it in a locked cell"
        )
    return ["obj", skeleton[1], encoder.encode(dict(value.__dict__))]
