"""The interest rate is the series that it says it is."""

import numpy as np

from course_lib.data import interest


def test_a_value_for_every_quarter():
    years, rate = interest.load()
    assert years.shape == rate.shape == (203,)
    np.testing.assert_allclose(np.diff(years), 0.25)
    assert (years[0], years[-1]) == (1959.0, 2009.5)


def test_known_values():
    years, rate = interest.load()
    assert rate[0] == 2.82
    assert 1980 <= years[rate.argmax()] <= 1982  # the years of dear money
    assert rate.max() > 15
    assert 0 < rate.min() < 0.3
