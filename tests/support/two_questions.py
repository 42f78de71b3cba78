"""A problem set of two questions, one of which may take its time."""

from made_course import cell, notebook

ANSWER = "def square(x):\n    return x * x"


def problem():
    return notebook(
        cell("solution", "square", "def square(x):\n    pass"),
        cell("test", "test_square", "assert square(3) == 9", 2),
        cell("solution", "slow", "import time"),
        cell("test", "test_slow", "assert square(4) == 16", 3),
    )
