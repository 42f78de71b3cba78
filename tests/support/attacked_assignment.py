"""The assignment that is attacked. MARK stands in hidden tests and nowhere else."""

from made_course import cell, notebook

MARK = "zq7hidden"
SECRET = 731_954_862

DOUBLE = """
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
"""
NORM = """
def norm(v):
    ### BEGIN SOLUTION
    return np.sqrt(np.sum(np.asarray(v) ** 2))
    ### END SOLUTION
"""
TEST_DOUBLE = f"""
assert double(3) == 6, "twice three"
### BEGIN HIDDEN TESTS
{MARK}_value = {SECRET}
assert double({MARK}_value) == 2 * {MARK}_value, "twice a large number"
### END HIDDEN TESTS
"""
TEST_NORM = f"""
v = np.arange(5.0)
assert np.allclose(norm(v), np.sqrt(30.0)), f"norm is {{norm(v)}}"
### BEGIN HIDDEN TESTS
{MARK}_vector = np.array([3.0, 4.0]) * {SECRET}
assert np.allclose(norm({MARK}_vector), 5.0 * {SECRET}), "norm of a long vector"
### END HIDDEN TESTS
"""
TEST_SMALL = "assert double(0) == 0\nassert double(1) == 2"


def make():
    return notebook(
        cell("locked", "setup", "import numpy as np\nimport torch"),
        cell("solution", "double", DOUBLE),
        cell("test", "test_double", TEST_DOUBLE, 4),
        cell("solution", "norm", NORM),
        cell("test", "test_norm", TEST_NORM, 5),
        cell("plain", None, "# try things here"),
        cell("test", "test_small", TEST_SMALL, 1),
    )


RIGHT_DOUBLE = "def double(x):\n    return x + x"
RIGHT_NORM = "def norm(v):\n    return np.linalg.norm(v)"
HONEST = {"double": RIGHT_DOUBLE, "norm": RIGHT_NORM}
