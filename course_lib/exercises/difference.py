"""Where a student's answer first differs from the right one, in words."""

import copy
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch

SHOWN = 12  # an array with more entries is shown by its shape and its beginning


class Difference(NamedTuple):
    """What differs; `where` names an entry, or is empty if the whole differs."""

    where: str
    got: str
    expected: str


def first_difference(
    got: Any, expected: Any, tolerance: float = 1e-6
) -> Difference | None:
    """None if both are the same up to rounding; whole numbers must be exact."""
    if isinstance(expected, Mapping):
        return _of_dictionaries(got, expected, tolerance)
    if isinstance(expected, (str, bool, set, frozenset)):
        same = type(got) is type(expected) and got == expected
        return None if same else Difference("", short(got), short(expected))
    if isinstance(expected, (tuple, list)) and _as_array(expected) is None:
        return _of_sequences(got, expected, tolerance)
    return _of_arrays(got, expected, tolerance)


def _of_dictionaries(
    got: Any, expected: Mapping, tolerance: float
) -> Difference | None:
    if not isinstance(got, Mapping):
        return Difference("", short(got), f"a dictionary with {list(expected)}")
    if set(got) != set(expected):
        return Difference("", f"entries {list(got)}", f"entries {list(expected)}")
    for key, value in expected.items():
        if different := first_difference(got[key], value, tolerance):
            return different._replace(where=f"[{key!r}]{different.where}")
    return None


def _of_sequences(got: Any, expected: Any, tolerance: float) -> Difference | None:
    if not isinstance(got, (tuple, list)) or len(got) != len(expected):
        return Difference("", short(got), f"{len(expected)} results")
    for index, value in enumerate(expected):
        if different := first_difference(got[index], value, tolerance):
            return different._replace(where=f"[{index}]{different.where}")
    return None


def _of_arrays(got: Any, expected: Any, tolerance: float) -> Difference | None:
    a, b = _as_array(got), _as_array(expected)
    if a is None or b is None:
        return Difference("", short(got), short(expected))
    if a.shape != b.shape:
        return Difference("", f"shape {a.shape}", f"shape {b.shape}")
    relative = 0 if np.issubdtype(b.dtype, np.integer) else tolerance
    wrong = ~np.isclose(a, b, rtol=relative, atol=tolerance, equal_nan=True)
    if not wrong.any():
        return None
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    where = f"[{', '.join(map(str, index))}]" if index else ""
    digits = _digits_apart(a[index], b[index])
    return Difference(where, _number(a[index], digits), _number(b[index], digits))


def _as_array(value: Any) -> np.ndarray | None:
    """Numbers as an array; None for anything that is no array of numbers."""
    if isinstance(value, torch.Tensor):
        return value.detach().cpu().numpy()
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    return array if array.dtype.kind in "biufc" else None


def _digits_apart(a: Any, b: Any) -> int:
    """So many significant digits that the two numbers look different."""
    for digits in range(4, 17):
        if _number(a, digits) != _number(b, digits):
            return digits
    return 17


def _number(value: Any, digits: int = 4) -> str:
    """A number as Python writes it, floats rounded to some digits."""
    value = value.item() if isinstance(value, np.generic) else value
    return f"{value:.{digits}g}" if isinstance(value, float) else repr(value)


def short(value: Any) -> str:
    """An argument or a result in one line."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key!r}: {short(entry)}" for key, entry in value.items())
        return f"{{{inside}}}"
    if isinstance(value, (np.ndarray, torch.Tensor)):
        return _short_array(np.asarray(_as_array(value)))
    if isinstance(value, (float, np.generic)):
        return _number(value)
    text = " ".join(repr(value).split())  # in one line
    return text if len(text) <= 70 else f"{text[:67]}..."


def _short_array(array: np.ndarray) -> str:
    if array.size <= SHOWN:
        text = np.array2string(array, precision=3, suppress_small=True, separator=", ")
        return re.sub(r"\s+", " ", re.sub(r"\s+(?=[],])|(?<=\[)\s+", "", text))
    start = ", ".join(_number(entry, 3) for entry in array.flat[:3])
    return f"an array of shape {array.shape} that begins {start}"


def unchanged(before: Any, after: Any) -> bool:
    """The same values, exactly: did a function write into its argument?"""
    if isinstance(before, Mapping):
        return list(before) == list(after) and all(
            unchanged(before[key], after[key]) for key in before
        )
    if isinstance(before, (tuple, list)):
        return len(before) == len(after) and all(map(unchanged, before, after))
    if isinstance(before, (np.ndarray, torch.Tensor)):
        a, b = np.asarray(_as_array(before)), np.asarray(_as_array(after))
        floats = a.dtype.kind in "fc"
        return a.shape == b.shape and np.array_equal(a, b, equal_nan=floats)
    return True  # what cannot be compared cannot easily be changed either


def own_copy(arguments: tuple) -> tuple:
    """A copy that an answer may spoil."""
    return copy.deepcopy(arguments)
