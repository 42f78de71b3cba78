"""Tables of pandas cross as data: labels, an index, and columns of plain values.

pandas is imported only where somebody uses it. What has no plain form (time zones,
categories of objects, subclasses) stays in its process like any other object.
"""

import importlib
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from course_tools.grading.bridge.wire import Skeleton, WireError

Encode = Callable[[Any], Skeleton]
Decode = Callable[[Skeleton], Any]
PLAIN_KINDS = "biufcmM"
EXTENSION = re.compile(
    r"(object|str|string|boolean|category|U?Int(8|16|32|64)|Float(32|64))\Z"
)


def kind_of(value: Any) -> str | None:
    """Return frame, series or index for these very classes of pandas, else None."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not is_class_of_data(type(value)):
        return None
    if type(value) is pandas.DataFrame:
        return "frame"
    if type(value) is pandas.Series:
        return "series"
    return "index" if isinstance(value, pandas.Index) and _simple(value) else None


def is_class_of_data(cls: type) -> bool:
    """No object of a student's process may pass for a table."""
    return cls.__module__.partition(".")[0] == "pandas"


def names() -> frozenset[str]:
    """Return the methods of tables; a test that uses one expects a table."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return frozenset()
    if "names" not in _known:
        all_names = {*dir(pandas.DataFrame), *dir(pandas.Series)}
        _known["names"] = frozenset(name for name in all_names if name[0] != "_")
    return _known["names"]


_known: dict[str, frozenset[str]] = {}


def _simple(index: Any) -> bool:
    pandas = sys.modules["pandas"]
    return isinstance(index, pandas.RangeIndex) or type(index) in (
        pandas.Index,
        pandas.MultiIndex,
        pandas.DatetimeIndex,
    )


def skeleton(kind: str, value: Any, encode: Encode) -> list[Any]:
    """Return the parts of a table; `encode` is the codec for what is in them."""
    if kind == "index":
        return ["pd", "index", _index(value, encode)]
    if kind == "series":
        parts = [encode(value.name), _index(value.index, encode)]
        return ["pd", "series", [*parts, _column(value, encode)]]
    columns = [_column(value.iloc[:, i], encode) for i in range(value.shape[1])]
    labels = [_index(value.columns, encode), _index(value.index, encode)]
    return ["pd", "frame", [*labels, columns]]


def _index(index: Any, encode: Encode) -> list[Any]:
    pandas = sys.modules["pandas"]
    if not _simple(index):
        index = pandas.Index(list(index), name=index.name)
    if isinstance(index, pandas.RangeIndex):
        span = [int(index.start), int(index.stop), int(index.step)]
        return ["range", encode(index.name), span]
    if isinstance(index, pandas.MultiIndex):
        return ["multi", encode(list(index.names)), encode(list(index))]
    return ["plain", encode(index.name), _column(index, encode)]


def _column(values: Any, encode: Encode) -> list[Any]:
    dtype = values.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in PLAIN_KINDS:
        return ["array", encode(values.to_numpy())]
    pandas = sys.modules["pandas"]
    items = [None if _missing(pandas, item) else item for item in values]
    name = "category" if dtype.name == "category" else dtype.name
    return [name if EXTENSION.match(name) else "object", encode(items)]


def _missing(pandas: ModuleType, item: Any) -> bool:
    return np.isscalar(item) and bool(pandas.isna(item)) or item is pandas.NA


def build(kind: str, parts: list[Any], decode: Decode) -> Any:
    """Return the table that a skeleton describes, which may come from anywhere."""
    pandas = importlib.import_module("pandas")
    if kind == "index":
        return _build_index(pandas, parts, decode)
    if kind == "series":
        name, index, column = parts
        values = _build_column(pandas, column, decode)
        index = _build_index(pandas, index, decode)
        return pandas.Series(values, index=index, name=decode(name))
    if kind != "frame":
        raise WireError("an unknown kind of table")
    labels, index, columns = parts
    data = {i: _build_column(pandas, item, decode) for i, item in enumerate(columns)}
    frame = pandas.DataFrame(data, index=_build_index(pandas, index, decode))
    frame.columns = _build_index(pandas, labels, decode)
    return frame


def _build_index(pandas: ModuleType, index: Skeleton, decode: Decode) -> Any:
    form, name, data = index
    if form == "range":
        return pandas.RangeIndex(*map(int, data), name=decode(name))
    if form == "multi":
        tuples = [tuple(item) for item in decode(data)]
        return pandas.MultiIndex.from_tuples(tuples, names=decode(name))
    return pandas.Index(_build_column(pandas, data, decode), name=decode(name))


def _build_column(pandas: ModuleType, column: Skeleton, decode: Decode) -> Any:
    name, data = column
    values = decode(data)
    if name == "array" and isinstance(values, np.ndarray):
        return values
    if not EXTENSION.match(name) or type(values) is not list:
        raise WireError("a column of a table has no proper type")
    return pandas.array(values, dtype=name) if name != "object" else _objects(values)


def _objects(values: list[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
