"""A real interest rate: United States treasury bills of three months, every quarter.

Data: column `tbilrate` of `macrodata.csv` in series/, as it is in the package
statsmodels, in the public domain; source: FRED, Federal Reserve Bank of St. Louis.
First quarter of 1959 to third quarter of 2009. Introduced in lecture 01.
"""

import csv
from pathlib import Path

import numpy as np
from jaxtyping import Float

TABLE = Path(__file__).parent / "series" / "macrodata.csv"
Series = Float[np.ndarray, " T"]


def load() -> tuple[Series, Series]:
    """Time in years (the first quarter of 1959 is 1959.0), and per cent a year."""
    with TABLE.open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file))
    years = [float(row["year"]) + (float(row["quarter"]) - 1) / 4 for row in rows]
    return np.array(years), np.array([float(row["tbilrate"]) for row in rows])
