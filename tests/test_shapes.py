"""The check of shapes: the same for both libraries, with both shapes in the message."""

import numpy as np
import pytest
import torch

from course_lib.shapes import check_shape

MAKERS = pytest.mark.parametrize("zeros", [np.zeros, torch.zeros])


@MAKERS
def test_right_shapes_pass(zeros):
    check_shape("x", zeros((2, 5, 3)), "B T d_x", "batch, time, dim", d_x=3)
    check_shape("b", zeros((7,)), "d_h", "one bias per unit", d_h=7)
    check_shape("x", zeros((0, 0, 3)), "B T d_x", "batch, time, dim")


@MAKERS
def test_a_wrong_size_is_quoted_beside_the_right_one(zeros):
    message = r"x has shape \(2, 5, 3\), expected \(B, T, d_x=7\): batch, time, dim"
    with pytest.raises(ValueError, match=message):
        check_shape("x", zeros((2, 5, 3)), "B T d_x", "batch, time, dim", d_x=7)


@MAKERS
def test_a_missing_axis_is_refused(zeros):
    with pytest.raises(ValueError, match=r"b has shape \(7, 1\), expected \(d_h=7,\)"):
        check_shape("b", zeros((7, 1)), "d_h", "one bias per unit", d_h=7)
