"""The two climate series: lengths, dates, units, gaps."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from course_lib.data import climate


@pytest.mark.parametrize("name", ["co2", "elnino", "macrodata"])
def test_the_tables_are_those_of_statsmodels(name):
    """Byte for byte; the package itself is 45 MB, which students need not install."""
    (package,) = find_spec("statsmodels").submodule_search_locations
    stored = (climate.SERIES / f"{name}.csv").read_bytes()
    assert stored == Path(package, "datasets", name, f"{name}.csv").read_bytes()


def test_el_nino_is_complete_and_plausible():
    sea = climate.load("elnino")
    assert sea.start == (1950, 1)
    assert sea.values.shape == (61 * 12,)
    assert (sea.values.min(), sea.values.max()) == pytest.approx((18.6, 29.2), abs=0.7)
    assert sea.values[:3].tolist() == [23.11, 24.20, 25.37]
    assert sea.year[-1] == pytest.approx(2010 + 11 / 12)


def test_the_sea_off_peru_is_warmest_in_march():
    sea = climate.load("elnino")
    means = [sea.values[sea.month == m].mean() for m in range(12)]
    assert np.argmax(means) == 2
    assert np.argmin(means) in (7, 8)


def test_co2_has_no_gaps_and_rises():
    air = climate.load("co2")
    assert air.start == (1958, 4)
    assert len(air.values) == 12 * 43 + 9
    assert np.isfinite(air.values).all()
    yearly = air.values[9 : 9 + 12 * 42].reshape(42, 12).mean(axis=1)
    assert np.all(np.diff(yearly) > 0)
    assert air.values[0] == pytest.approx((317.3 + 317.6 + 317.5 + 316.4) / 4)


def test_januaries_are_found():
    air = climate.load("co2")
    place = air.index(1959)
    assert place == 9
    assert (air.month[place], air.year[place]) == (0, 1959)
    with pytest.raises(ValueError, match="no January 1958"):
        air.index(1958)


def test_an_unknown_series_is_refused():
    with pytest.raises(ValueError, match="no series 'rain'"):
        climate.load("rain")


def test_nothing_is_drawn():
    first, second = climate.load("elnino"), climate.load("elnino")
    assert np.array_equal(first.values, second.values)
