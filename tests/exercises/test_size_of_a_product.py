"""Exercises of lecture 03b: other right answers pass, mistakes are named."""

import numpy as np
import pytest
from exercise_cases import variants

from course_lib.exercises.size_of_a_product import EXERCISES, critical_radius


def by_characteristic_polynomial(W):
    return max(abs(root) for root in np.roots(np.poly(W)))


def by_looking_far(W):
    """Five hundred powers are more than these matrices need."""
    norms = [np.linalg.norm(np.linalg.matrix_power(W, k), 2) for k in range(500)]
    return max(k for k, norm in enumerate(norms) if norm >= 1) + 1


def by_looking_at_a_few(W):
    norms = [np.linalg.norm(np.linalg.matrix_power(W, k), 2) for k in range(30)]
    return max(k for k, norm in enumerate(norms) if norm >= 1) + 1


def first_below_one(W):
    k = 1
    while np.linalg.norm(np.linalg.matrix_power(W, k), 2) >= 1:
        k += 1
    return k


RIGHT = [(1, by_characteristic_polynomial), (2, by_looking_far)]
WRONG = [
    (1, lambda W: np.linalg.norm(W, 2), "singular value"),
    (1, lambda W: np.linalg.eigvals(W).real.max(), "largest real part"),
    (1, lambda W: abs(max(np.linalg.eigvals(W), key=np.real)), "goes by real parts"),
    (1, lambda W: np.linalg.eigvals(W).max(), "expected"),
    (1, lambda W: np.abs(np.linalg.eigvals(W)).min(), "expected"),
    (2, first_below_one, "a later one is above 1 again"),
    (2, lambda W: by_looking_far(W) - 1, "One too few"),
    (2, lambda W: 5, "expected"),
    (2, by_looking_at_a_few, "expected"),
]
test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)


def test_inputs_do_not_matter_to_a_linear_network():
    quiet, loud = (critical_radius("identity", drive, seed=1) for drive in (0.5, 2.0))
    assert quiet == pytest.approx(loud)
    assert 0.8 < quiet < 1.1
