"""Honest answers in every style that Python has: each keeps all points, in silence."""

import pytest
from attacked_assignment import HONEST, RIGHT_NORM, make
from made_course import grade, make_course, submit

DOUBLE = "def double(x):\n    return {}\n"
STYLES = {
    "dataclass": "from dataclasses import dataclass, field\n@dataclass(slots=True)\n"
    "class Pair:\n    x: float\n    both: list = field(default_factory=list)\n"
    "    def sum(self): return self.x + self.x\n" + DOUBLE.format("Pair(x).sum()"),
    "int-enum": "import enum\nclass Factor(enum.IntEnum):\n    TWO = 2\n"
    + DOUBLE.format("Factor.TWO * x if x else Factor(2) - 2"),
    "an-enum-is-the-answer": "import enum\nclass N(enum.IntEnum):\n    A = 0\n"
    "    B = 2\n    C = 6\n" + DOUBLE.format("N(2 * x) if x in (0, 1, 3) else 2 * x"),
    "own-int": "class Count(int):\n    def __repr__(self): return 'a count'\n"
    + DOUBLE.format("Count(x + x)"),
    "generator": "def parts(x):\n    yield x\n    yield from (x,)\n"
    + DOUBLE.format("sum(parts(x))"),
    "decorator": "import functools\ndef log(f):\n    @functools.wraps(f)\n"
    "    def inner(*a, **k):\n        print('called', f.__name__, a)\n"
    "        return f(*a, **k)\n    return inner\n@log\n" + DOUBLE.format("2 * x"),
    "bare-decorator": "def twice(f):\n    return lambda *a: f(*a) + f(*a)\n@twice\n"
    + DOUBLE.format("x"),
    "functools": "import functools, operator\n"
    "double = functools.partial(operator.mul, 2)",
    "cached": "import functools\n@functools.lru_cache\n" + DOUBLE.format("2 * x"),
    "singledispatch": "import functools\n@functools.singledispatch\n"
    "def double(x): raise TypeError(x)\n@double.register\n"
    "def _(x: int) -> int: return x << 1",
    "slots-and-call": "class Double:\n    __slots__ = ('factor',)\n"
    "    def __init__(self): self.factor = 2\n"
    "    def __call__(self, x): return self.factor * x\ndouble = Double()",
    "descriptor": "class D:\n    @staticmethod\n    def f(x): return 2 * x\n"
    "double = D().f",
    "warnings": "import warnings\ndef double(x):\n"
    "    warnings.warn('slow', DeprecationWarning)\n    return 2 * x",
    "numpy-scalar": DOUBLE.format("np.int64(x) * 2"),
    "torch-scalar": DOUBLE.format("torch.tensor(x).mul(2).item()"),
    "zero-dimensional": DOUBLE.format("np.asarray(x) * 2"),
    "annotations": "from __future__ import annotations\n"
    "from typing import TypeVar, overload\nT = TypeVar('T', int, float)\n"
    "@overload\ndef double(x: int) -> int: ...\n"
    "@overload\ndef double(x: float) -> float: ...\n"
    "def double(x: T, /, *, by: Unknown = 2) -> T:\n    return by * x",
    "match": "def double(x):\n    match x:\n        case 0: return 0\n"
    "        case int() | float() as n: return n + n\n        case _: raise TypeError",
    "async": "import asyncio\nasync def later(x):\n    await asyncio.sleep(0)\n"
    "    return 2 * x\nmade = await later(1)\n"
    "def double(x):\n    loop = asyncio.new_event_loop()\n"
    "    try: return loop.run_until_complete(later(x))\n    finally: loop.close()",
    "threads": "from concurrent.futures import ThreadPoolExecutor\n"
    "def double(x):\n    with ThreadPoolExecutor(2) as pool:\n"
    "        return sum(pool.map(lambda n: n, [x, x]))",
    "walrus-and-globals": "calls = 0\ndef double(x):\n    global calls\n"
    "    calls += 1\n    return y + y if (y := x) else y",
    "contextvars": "import contextlib, decimal\n@contextlib.contextmanager\n"
    "def precise():\n    with decimal.localcontext() as c:\n        yield c\n"
    "def double(x):\n    with precise():\n        return int(decimal.Decimal(x) * 2)",
    "plots": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n"
    + DOUBLE.format("plt.figure() and 2 * x"),
    "metaclass": "class M(type):\n    def __call__(cls, x): return 2 * x\n"
    "class double(metaclass=M): pass",
    "recursion": DOUBLE.format("2 + double(x - 1) if 0 < x < 99 else 2 * x"),
    "magic": "%timeit -n1 -r1 sum([1])\n" + DOUBLE.format("2 * x"),
}
NORMS = {
    "subclass": "class V(np.ndarray):\n    def size2(self): return (self ** 2).sum()\n"
    "def norm(v): return np.sqrt(np.asarray(v).view(V).size2())",
    "masked": "def norm(v): return np.sqrt((np.ma.masked_invalid(v) ** 2).sum())",
    "a-matrix": "def norm(v): return np.linalg.norm(np.atleast_2d(v), axis=1)",
    "a-tensor": "def norm(v): return torch.linalg.norm(torch.as_tensor(v))",
    "with-gradient": "def norm(v):\n    w = torch.tensor(v, requires_grad=True)\n"
    "    return (w * w).sum().sqrt().detach()",
    "complex": "def norm(v): return np.sqrt(np.vdot(v + 0j, v))",
    "big-endian": "def norm(v): return np.linalg.norm(v).astype('>f8')",
    "read-only": "def norm(v):\n    r = np.broadcast_to(np.linalg.norm(v), (2, 2))\n"
    "    return r",
    "fraction": "from fractions import Fraction\n"
    "def norm(v): return float(sum(Fraction(x) ** 2 for x in v)) ** 0.5",
    "long-way": "import math\ndef norm(v): return math.dist(v, [0] * len(v))",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("honest")
    make_course(folder, "set", {"problem": make()})
    for name, double in STYLES.items():
        submit(folder, "set", "problem", name, {"double": double, "norm": RIGHT_NORM})
    for name, norm in NORMS.items():
        answers = {"double": HONEST["double"], "norm": norm}
        submit(folder, "set", "problem", f"norm-{name}", answers)
    result = grade(folder, "set")
    assert result.code == 0, result.errors
    return result


@pytest.mark.parametrize("name", [*STYLES, *(f"norm-{name}" for name in NORMS)])
def test_an_honest_answer_keeps_all_points(run, name):
    row = run.rows[name]
    assert (row["score"], row["incidents"]) == (10.0, []), row
