r"""Two real climate series: the sea off Peru, and the air on Mauna Loa.

Data: `elnino.csv` and `co2.csv` in series/, as they are in the package statsmodels, in
the public domain; sources: NOAA (ERSST.V3B, region Niño 1+2) and Keeling and Whorf
(2004).

`elnino`  monthly sea surface temperature, degrees Celsius, January 1950 to December
          2010: a strong year, and every few years an El Niño, when the sea stays warm
`co2`     carbon dioxide in the air, parts per million, monthly means of weekly samples,
          April 1958 to December 2001: a steady rise, and a small yearly breath

Nothing is drawn at random, so `load` needs no seed. Introduced in lecture 01.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float

SERIES = Path(__file__).parent / "series"


@dataclass(frozen=True)
class Series:
    """A monthly series without gaps.  values (T,); start = (year, month 1 … 12)"""

    name: str
    unit: str
    start: tuple[int, int]
    values: np.ndarray

    @property
    def month(self) -> np.ndarray:
        """The month of the year of every value, 0 for January.  (T,)"""
        return (self.start[1] - 1 + np.arange(len(self.values))) % 12

    @property
    def year(self) -> Float[np.ndarray, " T"]:
        """The time of every value in years: July 1950 is 1950.5.  (T,)"""
        return self.start[0] + (self.start[1] - 1 + np.arange(len(self.values))) / 12

    def index(self, year: int) -> int:
        """Where January of a year stands."""
        index = 12 * (year - self.start[0]) - (self.start[1] - 1)
        if not 0 <= index < len(self.values):
            raise ValueError(
                f"{self.name} has no January {year}: it runs from {self.year[0]:.2f} "
                f"to {self.year[-1]:.2f}"
            )
        return index


def load(name: str) -> Series:
    """`load("elnino")` or `load("co2")`."""
    readers = {"elnino": _elnino, "co2": _co2}
    if name not in readers:
        raise ValueError(f"no series {name!r}: there are {', '.join(readers)}")
    return readers[name](SERIES / f"{name}.csv")


def _elnino(path: Path) -> Series:
    """One row per year, one column per month."""
    rows = _rows(path)
    values = [float(value) for row in rows for value in row[1:]]
    return Series("elnino", "degrees Celsius", (int(rows[0][0]), 1), np.array(values))


def _co2(path: Path) -> Series:
    """Weekly samples, a few missing: monthly means, gaps closed by a straight line.

    The first month has a single sample, so the series starts with the second.
    """
    weeks: dict[tuple[int, int], list[float]] = {}
    for date, value in _rows(path):
        samples = weeks.setdefault((int(date[:4]), int(date[4:6])), [])
        if value:
            samples.append(float(value))
    months = sorted(weeks)[1:]
    means = [np.mean(weeks[month]) if weeks[month] else np.nan for month in months]
    values, here = np.array(means), np.arange(len(means))
    gap = np.isnan(values)
    values[gap] = np.interp(here[gap], here[~gap], values[~gap])
    return Series("co2", "parts per million", months[0], values)


def _rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf8", newline="") as file:
        return list(csv.reader(file))[1:]
