"""What is left when a test takes its value from a student's object decides nothing.

`float(result - 7.0)` is reckoned by the student's class, which could always say 0. Each
lie here earned points in an earlier version.
"""

import pytest
from made_course import cell, grade, make_course, notebook, submit

CLASS = """class Number:
    def __init__(self, value): self.value = value
    def _of(self, other): return getattr(other, "value", other)
    def __sub__(self, other): return Number(self.value - self._of(other))
    def __mul__(self, other): return Number(self.value * self._of(other))
    def __add__(self, other): return Number(self.value + self._of(other))
    def __neg__(self): return Number(-self.value)
    def __float__(self): return float(self.value)
    def __hash__(self): return hash(self.value)

def more(x): return Number(x + 1)
"""
TESTS = {
    "hashed": "d = more(6) - 7.0\nassert abs(float(d)) < 1e-9",
    "squared": "d = more(6) - 7.0\nassert float(d * d) < 1e-9",
    "summed": "assert float((more(6) - 7.0) + (more(8) - 9.0)) == 0",
    "negated": "assert float(-(more(6) - 7.0)) < 1e-9",
}
FAIR = "assert float(more(6)) == 7.0\nassert float(more(6) - more(4)) == 2.0"
ZERO = CLASS.replace("Number(self.value - self._of(other))", "Number(0)")
LIES = {
    "zero": ZERO,
    "plain-zero": CLASS.replace("Number(self.value * self._of(other))", "0.0")
    .replace("Number(self.value + self._of(other))", "0.0")
    .replace("Number(-self.value)", "0.0")
    .replace("return hash(self.value)", "return id(object())"),
    "another-hash": ZERO.replace(
        "return hash(self.value)", "return __import__('random').getrandbits(60)"
    ),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    solution = f"### BEGIN SOLUTION\n{CLASS}### END SOLUTION"
    tests = [cell("test", name, text, 1) for name, text in TESTS.items()]
    made = notebook(
        cell("solution", "number", solution), *tests, cell("test", "fair", FAIR, 1)
    )
    folder = tmp_path_factory.mktemp("differences")
    make_course(folder, "set", {"problem": made})
    for name, lie in LIES.items():
        lie = lie.replace("Number(x + 1)", "Number(x)")
        submit(folder, "set", "problem", name, {"number": lie})
    submit(folder, "set", "problem", "honest", {"number": CLASS})
    result = grade(folder, "set")
    assert result.code == 0, result.errors
    return result


@pytest.mark.parametrize("name", LIES)
def test_a_class_that_always_says_zero_earns_nothing(run, name):
    assert run.rows[name]["score"] == 0.0, run.rows[name]


def test_an_honest_class_keeps_what_compares_values(run):
    (fair,) = (q for q in run.rows["honest"]["questions"] if q["id"] == "fair")
    assert fair["score"] == 1.0, fair
