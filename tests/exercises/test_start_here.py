"""The practice exercise of 00: other right answers pass, mistakes are named."""

import numpy as np
from exercise_cases import variants

from course_lib.exercises.start_here import EXERCISES

RIGHT = [(1, lambda x: np.einsum("btd->bd", x) / x.shape[1])]
WRONG = [
    (1, lambda x: x.mean(0), "over the batch"),
    (1, lambda x: x.mean(-1), "over the features"),
    (1, lambda x: x.mean(), "over everything"),
    (1, lambda x: x.sum(1), "divide it by T"),
    (1, lambda x: np.einsum("btd->bd", x) / x.shape[0], "size of the batch"),
    (1, lambda x: x.mean(1)[:, None], "without keepdims"),
    (1, lambda x: x[:, 0], "expected"),
]

test_right, test_wrong = variants(EXERCISES, RIGHT, WRONG)
