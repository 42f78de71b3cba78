"""The practice exercise of 00: the right answer passes, mistakes are named."""

import numpy as np
from exercise_cases import exercise_tests

from course_lib.exercises.start_here import check_average_over_time as check

RIGHT = [(check, lambda x: np.einsum("btd->bd", x) / x.shape[1])]
WRONG = [
    (check, lambda x: x.mean(0), "over the batch"),
    (check, lambda x: x.mean(2), "over the features"),
    (check, lambda x: x.mean(), "over everything"),
]

test_right, test_wrong, test_open = exercise_tests(RIGHT, WRONG)
