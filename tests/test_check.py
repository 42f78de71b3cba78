"""Checks print a readable line, and they can fail."""

import numpy as np
import pytest
import torch

from course_lib.check import (
    PREDICTED,
    differ,
    max_difference,
    numerical_gradient,
    predicted,
    same,
    same_gradients,
    shapes,
)


def test_same_prints_claim_value_and_bound(capsys):
    same("left = right", np.zeros(3), torch.full((3,), 2e-12, dtype=torch.float64))
    line = capsys.readouterr().out
    assert line == "left = right: max difference 2.0e-12 (bound 1e-10)\n"


@pytest.mark.parametrize("wrong", [1e-9, np.nan, np.inf])
def test_same_can_fail(wrong):
    with pytest.raises(AssertionError, match="left = right.*exceeds the bound 1e-10"):
        same("left = right", np.zeros(3), np.array([0, 0, wrong]))


def test_shapes_are_not_broadcast():
    with pytest.raises(ValueError, match=r"\(3, 1\) and \(3,\)"):
        max_difference(np.zeros((3, 1)), np.zeros(3))


def test_empty_arrays_are_equal():
    assert max_difference(np.zeros((0, 3)), np.zeros((0, 3))) == 0


def test_differ_can_fail():
    differ("these differ", np.zeros(2), np.ones(2), at_least=0.5)
    with pytest.raises(AssertionError, match="below"):
        differ("these differ", np.zeros(2), np.zeros(2), at_least=0.5)


def test_numerical_gradient_is_right_and_restores_the_array():
    w = np.random.default_rng(0).standard_normal((2, 3))
    before = w.copy()
    gradient = numerical_gradient(lambda: float((w**3).sum()), w)
    assert np.array_equal(w, before)
    assert np.abs(gradient - 3 * w**2).max() < 1e-8


def test_numerical_gradient_refuses_single_precision():
    with pytest.raises(ValueError, match="float32"):
        numerical_gradient(lambda: 0.0, np.zeros(2, dtype=np.float32))


def test_a_nan_among_the_gradients_is_noticed():
    good = {"a": np.zeros(2), "b": np.zeros(3)}
    for name in good:
        with pytest.raises(AssertionError):
            same_gradients("nan", {**good, name: good[name] * np.nan}, good)


def test_same_gradients_reports_the_worst(capsys):
    good = {"a": np.zeros(2), "b": np.ones(3)}
    same_gradients("hand = autograd", good, good)
    assert "hand = autograd (a, b)" in capsys.readouterr().out
    with pytest.raises(AssertionError):
        same_gradients("hand = autograd", good, {**good, "b": np.zeros(3)})
    with pytest.raises(ValueError, match="expected"):
        same_gradients("hand = autograd", good, {"a": np.zeros(2)})


def test_predicted_gives_nothing_away(capsys):
    predicted()
    assert capsys.readouterr().out == f"{PREDICTED}\n"


def test_shapes_prints_one_line_each(capsys):
    shapes(x=np.zeros((2, 3)), weights=torch.zeros(5))
    assert capsys.readouterr().out == "x        (2, 3)\nweights  (5,)\n"
