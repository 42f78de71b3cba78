"""Instructors' ordinary test cells behave across the bridge as they would without."""

import pytest

NUMPY = "import numpy as np\nimport torch\n"


def passes(bench, student, test, **options):
    ok, message = bench.check(NUMPY + student, test, locked=NUMPY, **options)
    assert ok, message


def fails(bench, student, test, **options):
    ok, message = bench.check(NUMPY + student, test, locked=NUMPY, **options)
    assert not ok
    return message


VALUES = [
    "None",
    "True",
    "3",
    "-(10 ** 40)",
    "2.5",
    "float('inf')",
    "'text é 漢 \\U0001F600'",
    "b'bytes'",
    "bytearray(b'xy')",
    "1 + 2j",
    "[1, [2, (3,)], {'a': {4, 5}}]",
    "frozenset([1])",
    "{(1, 2): 'tuple key', None: 0}",
    "slice(1, None, 2)",
    "range(2, 11, 3)",
    "...",
    "np.float32(1.5)",
    "np.int64(3)",
    "np.arange(35).reshape(5, 7)",
    "np.array('scalar')",
    "np.zeros((0, 3))",
    "np.array([1 + 2j], dtype=np.complex64)",
    "np.array(['2020-01-01'], dtype='datetime64[D]')",
    "np.array([None, 'x'], dtype=object)",
    "np.arange(11)[::-3]",
    "np.dtype('float32')",
    "torch.arange(6.0).reshape(2, 3)",
    "torch.tensor(3)",
    "torch.zeros(0, 5)",
    "torch.ones(3, dtype=torch.bfloat16)",
    "torch.tensor([1 + 2j])",
    "torch.tensor([True, False])",
    "torch.float64",
    "torch.Size([2, 3])",
    "int",
    "ValueError",
]
SAME = """
def same(a, b):
    if isinstance(a, (np.ndarray, np.generic)):
        assert type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape
        return np.array_equal(a, b)
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a, b)
    return type(a) is type(b) and a == b
"""


def test_values_cross_both_ways(bench):
    tests = "\n".join(
        f"assert same({value}, give({number})), {value!r}\n"
        f"assert same({value}, echo({value})), {value!r}"
        for number, value in enumerate(VALUES)
    )
    student = "VALUES = [" + ", ".join(VALUES) + "]\n"
    student += "def give(n): return VALUES[n]\ndef echo(x): return x"
    passes(bench, student, SAME + tests)


def test_a_changed_value_would_be_noticed(bench):
    message = fails(bench, "def echo(x): return x + 1", "assert echo(3) == 3, 'other'")
    assert message == "AssertionError: other"


def test_nan_crosses(bench):
    passes(bench, "def f(): return float('nan')", "assert np.isnan(f())")


def test_keyword_arguments_defaults_and_star(bench):
    student = "def f(a, *b, c=2, **d): return [a, b, c, d]"
    passes(bench, student, "assert f(1, 2, 3, c=4, e=5) == [1, (2, 3), 4, {'e': 5}]")


def test_in_place_changes_come_back(bench):
    student = """
def double(x): x *= 2
def sort(x): x.sort()
def fill(d): d['new'] = [1]
def grow(s): s.add(7)
def nest(x): x[0].append(5)
def tensor(t): t.zero_()
"""
    test = """
a = np.ones((3, 5)); double(a); assert (a == 2).all()
view = np.arange(12.0).reshape(3, 4)[:, 1]; double(view); assert view[0] == 2.0
l = [3, 1, 2]; sort(l); assert l == [1, 2, 3]
d = {}; fill(d); assert d == {'new': [1]}
s = {1}; grow(s); assert s == {1, 7}
n = [[], 0]; inner = n[0]; nest(n); assert inner == [5] and n[0] is inner
t = torch.ones(3); tensor(t); assert t.sum() == 0
"""
    passes(bench, student, test)


def test_read_only_arrays_stay_read_only(bench):
    test = "a = np.ones(3); a.flags.writeable = False\nf(a)"
    message = fails(bench, "def f(x): x[0] = 2", test)
    assert "read-only" in message


def test_exceptions_cross_by_builtin_type(bench):
    student = "def f(n):\n    if n < 0: raise ValueError(f'n is {n}')\n    return {}[n]"
    test = """
try:
    f(-3)
except ValueError as error:
    assert str(error) == 'n is -3'
else:
    raise AssertionError('no error')
try:
    f(3)
except KeyError:
    pass
import pytest
with pytest.raises(ValueError, match='n is'):
    f(-1)
np.testing.assert_raises(ValueError, f, -1)
"""
    passes(bench, student, test)


def test_exceptions_of_the_students_own_class(bench):
    student = """
class Empty(ValueError): pass
def pop(x):
    if not x: raise Empty('nothing')
    return x[-1]
"""
    test = """
try:
    pop([])
except Empty as error:
    assert 'nothing' in str(error)
try:
    pop([])
except ValueError:
    pass
try:
    pop([])
except KeyError:
    raise AssertionError('wrong class')
except Exception:
    pass
"""
    passes(bench, student, test)


def test_callbacks(bench):
    student = """
def derivative(f, x, h=1e-5): return (f(x + h) - f(x - h)) / (2 * h)
def twice(f): return lambda x: f(f(x))
def table(f): return [f(k) for k in range(5)]
"""
    test = """
assert abs(derivative(lambda x: x ** 3, 2.0) - 12) < 1e-6
def square(x): return x * x
assert twice(square)(3) == 81
assert table(square) == [0, 1, 4, 9, 16]
assert derivative(np.sin, 0.0) > 0.99
def broken(x): raise OverflowError('too far')
try:
    table(broken)
except OverflowError as error:
    assert 'too far' in str(error)
"""
    passes(bench, student, test)


def test_callbacks_may_call_student_code_again(bench):
    student = "def apply(f, x): return f(x)\ndef inc(x): return x + 1"
    passes(bench, student, "assert apply(lambda x: apply(inc, x) + inc(x), 3) == 8")


def test_classes_instances_and_attributes(bench):
    student = """
class Counter:
    total = 0
    def __init__(self, start=0): self.n = start
    def add(self, k=1):
        self.n += k
        return self
    def __len__(self): return self.n
    def __getitem__(self, k): return self.n * k
    def __iter__(self): return iter(range(self.n))
    def __contains__(self, k): return k < self.n
    @staticmethod
    def name(): return 'counter'
"""
    test = """
c = Counter(3)
assert c.add(2).n == 5 and len(c) == 5 and c[3] == 15 and list(c) == [0, 1, 2, 3, 4]
assert c.add() is c
c.n = 2
assert c.n == 2 and Counter.name() == 'counter' and Counter.total == 0
assert isinstance(c, Counter) and not isinstance(3, Counter)
assert hasattr(c, 'add') and not hasattr(c, 'subtract')
assert callable(Counter) and callable(c.add) and not callable(c)
assert c is not None and c != None and bool(c)
assert 1 in c and 5 not in c
"""
    passes(bench, student, test, solution=[student])


def test_operators_the_solution_defines_are_passed_on(bench):
    student = """
class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return V(self.x + o.x)
    def __mul__(self, k): return V(self.x * k)
    __rmul__ = __mul__
    def __rmul__(self, k): return V(self.x * k)
    def __eq__(self, o): return self.x == o.x
    def __repr__(self): return f'V({self.x})'
"""
    test = """
assert (V(1) + V(2)).x == 3
assert (V(3) * 2).x == 6 and (2 * V(3)).x == 6
assert V(1) == V(1) and V(1) != V(2)
assert str(V(1)) == 'V(1)'
"""
    passes(bench, student, test, solution=[student])


def test_generators(bench):
    student = """
def count():
    n = 0
    while True:
        yield n
        n += 1
def pairs(x): return zip(x, x)
"""
    test = """
import itertools
assert list(itertools.islice(count(), 4)) == [0, 1, 2, 3]
g = count(); assert next(g) == 0 and next(g) == 1
assert list(pairs([1, 2])) == [(1, 1), (2, 2)]
"""
    passes(bench, student, test)


def test_records_cross_as_records(bench):
    student = """
import collections
Point = collections.namedtuple('Point', 'x y')
def f(): return Point(1, np.ones(2))
def od(): return collections.OrderedDict(a=1), collections.Counter('aab')
"""
    test = """
p = f(); x, y = p
assert p.x == 1 and p.y.sum() == 2 and isinstance(p, tuple)
assert od() == ({'a': 1}, {'a': 2, 'b': 1})
"""
    passes(bench, student, test)


def test_locked_dataclass_goes_to_student_code(bench):
    locked = (
        NUMPY
        + """
from dataclasses import dataclass
@dataclass
class Config:
    width: int
    rate: float = 0.5
"""
    )
    ok, message = bench.check(
        "def area(c): return c.width * c.rate",
        "assert area(Config(6)) == 3.0",
        locked=locked,
    )
    assert ok, message


def test_a_test_cells_own_class_says_that_it_cannot_cross(bench):
    message = fails(bench, "def f(x): return 1", "class A: pass\nf(A())")
    assert "object of class A " in message
    assert "locked cell" in message


def test_what_cannot_cross_says_so(bench):
    message = fails(bench, "def f(x): return 1", "x = []; x.append(x)\nf(x)")
    assert "contains itself" in message


def test_deleting_and_replacing_a_function_reaches_the_student(bench):
    student = "def g(x): return x + 1\ndef f(x): return 2 * g(x)"
    test = """
kept = g
del g
try:
    f(1)
except NameError:
    pass
else:
    raise AssertionError('f does not use g')
finally:
    g = kept
assert f(1) == 4
"""
    passes(bench, student, test)
    passes(bench, student, "g = lambda x: 50\nassert f(1) == 100", solution=[student])
    lazy = "def g(x): return x + 1\ndef f(x): return 2 * (x + 1)"
    assert "does not use g" in fails(bench, lazy, test)


def test_names_of_a_test_do_not_reach_the_student(bench):
    student = "expected = None\ndef f(): return expected"
    assert fails(bench, student, "expected = 42\nassert f() == expected, 'kept apart'")


def test_student_cannot_rebind_what_a_locked_cell_defines(bench):
    student = "def reference(x): return 0\nnp = None\ndef f(x): return 0"
    ok, message = bench.check(
        student,
        "assert f(3) == reference(3), 'judge has its own reference'",
        locked="import numpy as np\ndef reference(x): return 2 * x",
    )
    assert not ok
    assert "own reference" in message


def test_a_name_the_solution_assigns_is_the_students(bench):
    verdicts = bench.verdicts(
        ("locked", "data = [3, 1]"),
        ("student", "data = sorted(data)"),
        ("test", "assert data == [3, 1]"),
    )
    assert verdicts[0].score == 7.0


def test_seeds_of_a_test_hold_in_student_code(bench):
    student = """
import random
def draw(): return [random.random(), np.random.rand(), torch.rand(1).item()]
"""
    test = """
import random
def seed(): random.seed(3); np.random.seed(3); torch.manual_seed(3)
seed(); first = draw(); second = draw()
seed(); own = [random.random(), np.random.rand(), torch.rand(1).item()]
assert first == own and second != first
seed(); np.random.rand(); assert draw()[1] != first[1]
rng = np.random.default_rng(5)
"""
    passes(bench, student, test)


def test_generators_of_random_numbers_cross(bench):
    student = "def f(rng): return rng.normal(size=3)\n"
    student += "def g(gen): return torch.rand(3, generator=gen)"
    test = """
assert np.array_equal(f(np.random.default_rng(5)),
                      np.random.default_rng(5).normal(size=3))
assert torch.equal(g(torch.Generator().manual_seed(4)),
                   torch.rand(3, generator=torch.Generator().manual_seed(4)))
"""
    passes(bench, student, test)


def test_printed_text_arrives_and_can_be_captured(bench):
    test = """
import contextlib, io
text = io.StringIO()
with contextlib.redirect_stdout(text):
    hello()
"""
    passes(
        bench,
        "def hello(): print('hello')",
        test + "assert text.getvalue() == 'hello\\n'",
    )


def test_warnings_are_not_errors_and_can_be_caught(bench):
    student = "import warnings\ndef f():\n    warnings.warn('old', FutureWarning)\n"
    student += "    return 3"
    test = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    assert f() == 3
assert [w.category for w in caught] == [FutureWarning]
"""
    passes(bench, student, "assert f() == 3")
    passes(bench, student, test)


def test_modules_are_the_judges_own(bench):
    student = "import math\nmath.sqrt = lambda x: 2\ndef f(x): return 2"
    message = fails(bench, student, "assert f(9) == math.sqrt(9), 'judge has math'")
    assert "judge has math" in message


def test_signature_of_a_student_function(bench):
    test = "import inspect\nassert list(inspect.signature(f).parameters) == ['a', 'b']"
    passes(bench, "def f(a, b=2): return a", test)


@pytest.mark.parametrize("call", ["f.mean()", "f.sum(0)", "f @ f", "f + 1"])
def test_objects_that_play_data_are_refused(bench, call):
    student = "class L:\n    def __getattr__(s, n): return lambda *a: True\n"
    student += "    def __add__(s, o): return s\n    __matmul__ = __add__\n"
    message = fails(bench, student + "f = L()", call)
    assert "plain data" in message or "solution does not define" in message


def test_numbers_that_would_keep_the_judge_busy_do_not_cross(bench):
    """Their greatest common divisor takes minutes, in which no alarm rings."""
    for large in ("1 << 5_000_000", "Fraction(3 ** 40_000, 2 ** 70_000)"):
        student = f"from fractions import Fraction\ndef f(): return {large}"
        ok, message = bench.check(NUMPY + student, "assert f() > 0", locked=NUMPY)
        assert not ok
        assert "unreadable answer" in message
    passes(bench, "def f(): return 7 ** 70_000", "assert f() == 7 ** 70_000")
