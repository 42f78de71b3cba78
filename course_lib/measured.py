"""Measured values, each printed beside the bound that is asserted of it.

    holds("validation loss", loss, below=1.7)

    validation loss ≈ 1.62 (below 1.70)

The reader sees the result, and a run on another processor may differ in its digits: the
notebook tests replace the number after ≈ before they compare, and nothing else of the
line. So whatever else is printed here, even a column's width, depends on the bound and
never on the value. Nothing but this module prints the sign.
"""

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

SIGN = "≈"
NUMBER_WIDTH = 8  # of a number in a table; a longer one moves the rest of its line
FIXED = (-3, 6)  # powers of ten that are written out; others as 3.1e-12

Limit = float | tuple[float, float] | None
Limits = Limit | list[Limit]  # a list holds one limit a row
Number = float | np.generic | np.ndarray | torch.Tensor  # of no dimension
Values = Sequence[Number] | np.ndarray | torch.Tensor

RELATIONS = {
    "below": operator.lt,
    "above": operator.gt,
    "at_least": operator.ge,
    "at_most": operator.le,
    "between": lambda value, limits: limits[0] <= value <= limits[1],
}


@dataclass(frozen=True)
class Bound:
    """What is asserted of a value, and how both are written."""

    relation: str
    limit: float | tuple[float, float]
    of: int | None = None  # a count: "7 of 8"
    unit: str = ""  # "%": value and limit are shares of one

    def allows(self, value: float) -> bool:
        return math.isfinite(value) and RELATIONS[self.relation](value, self.limit)

    def __str__(self) -> str:
        """For example "below 1.70"."""
        unit = f" {self.unit}" if self.unit else ""
        limits = self.limit if isinstance(self.limit, tuple) else (self.limit,)
        numbers = " and ".join(limit_text(limit, self.unit) for limit in limits)
        return f"{self.relation.replace('_', ' ')} {numbers}{unit}"

    @property
    def suffix(self) -> str:
        """What follows the number, before the bound."""
        count = "" if self.of is None else f" of {self.of}"
        return count + (f" {self.unit}" if self.unit else "")


@dataclass(frozen=True)
class Measured:
    """Values with a bound for each; `shared` when it is the same one for all."""

    values: list[float]
    bounds: list[Bound]
    shared: bool

    def require(self, name: str) -> None:
        """Stop at the first value that its bound does not allow."""
        for value, bound in zip(self.values, self.bounds, strict=True):
            if not bound.allows(value):
                text = value_text(value, bound) if math.isfinite(value) else str(value)
                raise AssertionError(
                    f"{name} {SIGN} {text}{bound.suffix}: this is not {bound}"
                )


def holds(
    name: str,
    value: Number | Values,
    *,
    below: Limit = None,
    above: Limit = None,
    at_least: Limit = None,
    at_most: Limit = None,
    between: Limit = None,
    of: int | None = None,
    unit: str = "",
) -> None:
    """Print a measured value with its bound, or stop with both when it is broken.

    value  a number, or several (one for each seed): all are shown, all must hold.
    of     the value is a count: `holds("solved", 7, of=8, at_least=6)` prints
           "solved ≈ 7 of 8 (at least 6)".
    unit   is printed after the number. With "%", value and bound are shares of one.

    Returns nothing: a returned number at the end of a cell would be stored, and
    compared to the last digit.
    """
    limits = {"below": below, "above": above, "at_least": at_least, "at_most": at_most}
    values, several = _listed(value)
    column = measured(values, **limits, between=between, of=of, unit=unit)
    if not column.shared:
        raise ValueError("holds has one bound; a table can have one for each row")
    column.require(name)
    bound = column.bounds[0]
    numbers = ", ".join(value_text(number, bound) for number in column.values)
    all_of_them = f"all {len(column.values)} " if several else ""
    print(f"{name} {SIGN} {numbers}{bound.suffix} ({all_of_them}{bound})")


def measured(
    values: Values,
    *,
    below: Limits = None,
    above: Limits = None,
    at_least: Limits = None,
    at_most: Limits = None,
    between: Limits = None,
    of: int | None = None,
    unit: str = "",
) -> Measured:
    """A column of measured values for `table`.

    One limit holds for all and stands in the header. A list has a limit for each row,
    None where another argument has it, and each stands beside its value:
    `measured(losses, above=[2.3, None], below=[None, 1.7])`.
    """
    limits = {"below": below, "above": above, "at_least": at_least, "at_most": at_most}
    limits["between"] = between
    numbers = [_number(value) for value in values]
    if not numbers:
        raise ValueError("there is no value to measure")
    if of is not None and not all(isinstance(n, int) and n <= of for n in numbers):
        raise ValueError(f"with of={of} the values are counts up to {of}: {numbers}")
    for name, limit in limits.items():
        if isinstance(limit, list) and len(limit) != len(numbers):
            raise ValueError(f"{len(numbers)} values, but {len(limit)} for {name}")
    bounds = [_bound(limits, row, of, unit) for row in range(len(numbers))]
    shared = not any(isinstance(limit, list) for limit in limits.values())
    return Measured(numbers, bounds, shared)


def _bound(limits: dict[str, Limits], row: int, of: int | None, unit: str) -> Bound:
    """The one limit that is given for this row."""
    here = {
        name: limit[row] if isinstance(limit, list) else limit
        for name, limit in limits.items()
    }
    given = [(name, limit) for name, limit in here.items() if limit is not None]
    if len(given) != 1:
        known = ", ".join(limits)
        raise ValueError(f"a measured value has exactly one bound of: {known}")
    return Bound(*given[0], of=of, unit=unit)


def _listed(value: Number | Values) -> tuple[list[Number], bool]:
    """The values one by one, and whether several could have been given."""
    arrays = (np.ndarray, torch.Tensor)
    if isinstance(value, Sequence) or (isinstance(value, arrays) and value.ndim > 0):
        return list(value), True
    return [value], False


def _number(value: Number) -> float:
    """A number of NumPy or torch as one of Python; counts stay whole."""
    if isinstance(value, (np.generic, np.ndarray, torch.Tensor)):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is no measured number")
    return value


def limit_text(limit: float, unit: str = "") -> str:
    """A bound as an author would write it: 1.70, 0.05, 1e-10, 25,000."""
    if unit == "%":
        return f"{round(100 * limit, 10):g}"
    if isinstance(limit, int):
        return f"{limit:,}"
    if limit and not FIXED[0] <= math.log10(abs(limit)) < FIXED[1]:
        return f"{limit:g}"
    text = f"{limit:,.10f}".rstrip("0").rstrip(".")
    decimals = len(text.partition(".")[2])
    return f"{limit:,.2f}" if abs(limit) < 10 and decimals < 2 else text


def value_text(value: float, bound: Bound, decimals: int | None = None) -> str:
    """Three digits of a value, more if the rounded one were on the bound's other side.

    decimals  so many at least, for a column whose decimal points stand together.
    """
    if isinstance(value, int) and bound.unit != "%":
        return f"{value:,}"
    scale = 100 if bound.unit == "%" else 1
    text = ""
    for digits in range(3, 18):
        text = _rounded(scale * value, digits, decimals)
        shown = float(text.replace(",", "")) / scale
        if bound.allows(shown) == bound.allows(value):
            break
        decimals = None if decimals is None else decimals + 1
    return text


def _rounded(value: float, digits: int, decimals: int | None) -> str:
    if decimals is not None:
        return f"{value:,.{decimals}f}"
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)))
    if FIXED[0] <= power < FIXED[1]:
        return f"{value:,.{max(0, digits - 1 - power)}f}"
    return f"{value:.{digits - 2}e}"


def table(columns: Mapping[str, Sequence | Measured]) -> None:
    """Print columns side by side: what is known, and what is `measured`.

    table({"gap": [20, 80], "LSTM": measured([0.98, 0.91], above=0.9, unit="%")})

    A bound for all rows stands under the column's name, one for a row beside its value.
    """
    for name, column in columns.items():
        if isinstance(column, Measured):
            column.require(name)
    texts = [_column(name, column) for name, column in columns.items()]
    if len({len(text) for text in texts}) > 1:
        raise ValueError("the columns have different numbers of rows")
    if not any(text[1] for text in texts):  # no bound for a whole column
        texts = [[text[0], *text[2:]] for text in texts]
    for line in zip(*texts, strict=True):
        print("  ".join(line).rstrip())


def _column(name: str, column: Sequence | Measured) -> list[str]:
    """Name, bound and entries, all padded to the same width."""
    if isinstance(column, Measured):
        bound = f"({column.bounds[0]})" if column.shared else ""
        lines = [name, bound, *_measured_entries(column)]
        # without the digits of the values, so that no width depends on them
        frames = [len(_entry("", column, row)) for row in range(len(column.values))]
        width = max(len(name), len(bound), *frames)
        return [line.ljust(width) for line in lines]
    entries = [
        limit_text(entry) if isinstance(entry, (int, float)) else str(entry)
        for entry in column
    ]
    width = max(map(len, [name, *entries]))
    numbers = all(isinstance(entry, (int, float)) for entry in column)
    pad = str.rjust if numbers else str.ljust
    return [pad(text, width) for text in [name, "", *entries]]


def _measured_entries(column: Measured) -> list[str]:
    decimals = _common_decimals(column)
    pairs = zip(column.values, column.bounds, strict=True)
    texts = [value_text(value, bound, decimals) for value, bound in pairs]
    return [_entry(text, column, row) for row, text in enumerate(texts)]


def _entry(number: str, column: Measured, row: int) -> str:
    bound = column.bounds[row]
    beside = "" if column.shared else f" ({bound})"
    return f"{SIGN} {number:>{NUMBER_WIDTH}}{bound.suffix}{beside}"


def _common_decimals(column: Measured) -> int | None:
    """Decimals that show three digits of the largest value, two of the smallest.

    None where the values lie too far apart for that. A percentage has one at least:
    99.8 % is not all.
    """
    percent = column.bounds[0].unit == "%"
    scale = 100 if percent else 1
    powers = [math.floor(math.log10(abs(scale * v))) for v in column.values if v]
    if not powers or not FIXED[0] <= min(powers) <= max(powers) < FIXED[1]:
        return None
    if max(powers) - min(powers) > 3:
        return None
    return max(int(percent), 2 - max(powers), 1 - min(powers))
