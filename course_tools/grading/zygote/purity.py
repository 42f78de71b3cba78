"""Could the names that some cells define remember what was done with them?

A rehearsal must leave no trace but filled caches. So it is held only if the locked
cells define nothing that can change: functions, classes, modules, numbers, texts,
and tuples of these. A function marked with functools.cache promises by that mark that
its result depends on its arguments alone, so what it remembers does no harm.
"""

import collections
import functools
import os
import sys
import types
import warnings
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch

FIXED: tuple[type, ...] = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    range,
    types.ModuleType,
)
FIXED += (types.BuiltinFunctionType, types.EllipsisType, types.GenericAlias)
FIXED += (types.MethodDescriptorType, types.WrapperDescriptorType)
FIXED += (types.MemberDescriptorType, types.GetSetDescriptorType)
FIXED += (np.ufunc, np.dtype, torch.dtype, torch.device)
FIXED += (type(vars(collections.namedtuple("Pair", "a b"))["a"]),)
CACHED = type(functools.cache(len))
# what Python itself puts into a class
OF_CLASSES = ("__dict__", "__weakref__", "__annotations__", "__dataclass_fields__")
OF_CLASSES += ("__dataclass_params__", "_field_defaults", "__abstractmethods__")
OF_CLASSES += ("_abc_impl", "__orig_bases__", "__parameters__")


def changeable_names(names: Mapping[str, Any]) -> list[str]:
    """Return the names whose values could remember something."""
    ours = ("__builtins__", "get_ipython")
    of_cells = [(name, value) for name, value in names.items() if name not in ours]
    return [name for name, value in of_cells if remembers(value, set())]


def remembers(value: Any, seen: set[int]) -> bool:
    """Could `value` be changed, or something that it holds?"""
    if isinstance(value, FIXED) or id(value) in seen:
        return False
    seen.add(id(value))
    parts: Iterable[Any]
    if type(value) in (tuple, frozenset):
        parts = value
    elif isinstance(value, CACHED):
        parts = [value.__wrapped__]
    elif isinstance(value, staticmethod | classmethod):
        parts = [value.__func__]
    elif isinstance(value, property):
        parts = [value.fget, value.fset, value.fdel]
    elif isinstance(value, types.FunctionType):
        parts = _parts_of_function(value)
    elif isinstance(value, type):
        parts = _parts_of_class(value)
    else:
        return True
    return any(remembers(part, seen) for part in parts)


def _parts_of_function(function: types.FunctionType) -> list[Any]:
    closed = [cell.cell_contents for cell in function.__closure__ or ()]
    defaults = [
        *(function.__defaults__ or ()),
        *(function.__kwdefaults__ or {}).values(),
    ]
    return [*closed, *defaults, *vars(function).values()]


def _parts_of_class(cls: type) -> list[Any]:
    """Classes of packages are as they were installed; those of cells are looked at."""
    if not _of_a_cell(cls, type):
        return []
    return [value for name, value in vars(cls).items() if name not in OF_CLASSES]


def _of_a_cell(value: Any, kinds: type | UnionType) -> bool:
    return isinstance(value, kinds) and value.__module__ == "__main__"


def snapshot(names: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what must be the same before and after: attributes, and settings."""
    values = list(names.values())
    for cls in [value for value in values if _of_a_cell(value, type)]:
        values.extend(vars(cls).values())
    attributes = [
        {name: id(part) for name, part in vars(value).items()}
        for value in values
        if _of_a_cell(value, type | types.FunctionType | CACHED)
    ]
    return (
        attributes,
        list(warnings.filters),
        warnings.showwarning,
        (np.geterr(), np.get_printoptions()),
        (torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads()),
        torch.are_deterministic_algorithms_enabled(),
        (dict(os.environ), os.getcwd(), list(sys.path), sys.getrecursionlimit()),
        plt.get_fignums(),
    )
