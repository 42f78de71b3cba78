"""The filter as a scan equals the filter as a loop; its operator is associative."""

import numpy as np
import pytest

from course_lib.check import max_difference
from course_lib.models.parallel_filter import combine, elements, kalman_scan
from course_lib.models.state_space import LinearGaussian, kalman_filter


@pytest.fixture
def model():
    draw = np.random.default_rng(0).standard_normal
    noise = {"B": draw((3, 3)), "D": draw((2, 2))}
    start = {"m_1": draw(3), "P_1": 2 * np.eye(3)}
    return LinearGaussian(A=0.5 * draw((3, 3)), C=draw((2, 3)), **noise, **start)


@pytest.mark.parametrize("T", [1, 2, 5, 37])
def test_equals_lecture_16s_filter(model, T):
    _, x = model.sample(5, T, np.random.default_rng(1))
    m, P = kalman_scan(model, x)
    expected = kalman_filter(model, x)
    assert max_difference(m, expected.m) < 1e-11
    assert max_difference(P, expected.P) < 1e-11


def test_how_stretches_are_joined_does_not_matter(model):
    _, x = model.sample(5, 4, np.random.default_rng(1))
    parts = elements(model, x)
    _, e_2, e_3, e_4 = (tuple(p[t : t + 1] for p in parts) for t in range(4))
    left = combine(combine(e_2, e_3), e_4)
    right = combine(e_2, combine(e_3, e_4))
    for got, expected in zip(left, right, strict=True):
        assert max_difference(got, expected) < 1e-11
