"""A small problem set, answers to it, and its scores as a table."""

import csv
import io

from made_course import cell, course, notebook

SQUARE = (
    "def square(x):\n    ### BEGIN SOLUTION\n    return x * x\n    ### END SOLUTION"
)
TEST = """assert square(3) == 9, "three"
### BEGIN HIDDEN TESTS
assert square(-17) == 289, "negative"
### END HIDDEN TESTS"""


def problem():
    return notebook(
        cell("plain", None, "import math"),
        cell("locked", "setup", "import numpy as np\nlimit = 3"),
        cell("solution", "square", SQUARE),
        cell("test", "test_square", TEST, 2),
        cell("test", "test_part", "1.5 if square(2) == 4 else 0", 3),
        cell("test", "test_math", "assert math.floor(square(1.5)) == 2", 1),
        cell("manual", "essay", "Why?", 4),
    )


RIGHT = {"square": "def square(x): return x ** 2"}
ABS = {"square": "def square(x): return x * abs(x)", "essay": "Because."}


def export(folder, *arguments):
    """Return the table that `course export` prints, and what it says beside it."""
    result = course("export", "--course", folder, *arguments)
    assert result.code == 0, result.errors
    return list(csv.reader(io.StringIO(result.text))), result.errors
