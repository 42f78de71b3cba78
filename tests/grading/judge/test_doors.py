"""What the judge knows never depends on the student's process.

Each attack is a notebook of a few cells: nothing in it is worth a point. They were
written with the source at hand, and worked against an earlier version of the engine
unless a comment says that they never did.
"""

from dataclasses import dataclass

import pytest

from course_tools.grading.limits import Limits

SEND = """
import os, json, struct
def say(**fields):
    text = json.dumps(dict({"kind": "answer", "buffers": []}, **fields)).encode()
    os.write(3, struct.pack("<4sII", b"crs1", len(text), 0) + text)
"""
LOCKED = "def same(a, b):\n    return a == b"
LIAR = "def f(x): return 'no'\nsame = lambda a, b: True"
TEST = "assert same(f(2), 4)"
SQUARE = "def f(x): return x * x"


@dataclass(frozen=True)
class Attack:
    """Cells with their roles, and the solution that belongs to them."""

    cells: tuple[tuple[str, str], ...]
    solution: str = SQUARE


def on_locked(trick):
    """`trick` runs when the locked cell after it does; the helper is the student's."""
    before = f"{LIAR}\nimport sys\n{trick}"
    return Attack((("student", before), ("locked", LOCKED), ("test", TEST)))


def on(test, student, solution=SQUARE, locked=None):
    first = (("locked", locked),) if locked else ()
    return Attack((*first, ("student", student), ("test", test)), solution)


WHEN = "_[0].raw_cell.startswith('def same')"
HOOK = """
def hook(*_):
    if {when}: {then}
get_ipython().events.register("pre_run_cell", hook)
"""


def hooked(then):
    """When the locked cell runs, its process does something else."""
    return SEND + HOOK.format(when=WHEN, then=then)


ERROR = (
    """say(error=dict(type="E", bases=["builtins.ValueError"], handle=1, text=""))"""
)

LOCKED_CELLS = {
    "exit": on_locked(hooked("__import__('os')._exit(0)")),
    "hang": on_locked(hooked("__import__('time').sleep(99)")),
    "error": on_locked(hooked(ERROR)),
    "mirrors": on_locked(hooked("say(mirrors=[[1, 2]])")),
    "printed": on_locked(hooked("say(printed=[1])")),
    "warnings": on_locked(hooked("say(warnings=7)")),
    "two-answers": on_locked(hooked("say(outputs=[]); say(outputs=[])")),
    "audit": on_locked(
        "def audit(event, args):\n"
        "    if event == 'compile' and b'same' in bytes(str(args), 'utf8'):\n"
        "        raise RuntimeError('no')\n"
        "sys.addaudithook(audit)"
    ),
    "every-time": on_locked("get_ipython().run_cell = lambda *a, **k: 1 / 0"),
    "own-cell-on-top": Attack(
        (
            ("student", hooked("__import__('os')._exit(0)")),
            ("locked", LOCKED),
            ("student", LIAR),
            ("test", TEST),
        )
    ),
    # the locked cell calls the student's code, and is needed by the test
    "call-in-a-locked-cell": Attack(
        (
            ("student", "import os\ndef f(x): os._exit(0)\nsame = lambda a, b: True"),
            ("locked", "start = f(0)\n" + LOCKED),
            ("student", "def f(x): return 'no'"),
            ("test", "start\n" + TEST),
        )
    ),
    "magic-in-a-locked-cell": Attack(
        (
            ("student", LIAR + "\n1 / 0"),
            ("locked", "where = !echo\nmissing()\n" + LOCKED),
            ("test", TEST),
        )
    ),
    "names-by-text": Attack(
        (
            ("student", LIAR + "\ndef g(x): return 1"),
            ("locked", "start = g(0)\n" + LOCKED),
            ("test", "assert globals()['same'](f(2), 4)"),
        ),
        SQUARE + "\ndef g(x): return 1",
    ),
    # a test that fails early leaves its own helpers undefined
    "helper-of-a-failed-test": Attack(
        (
            ("student", "def f(x): 1 / 0\ndef check(v): pass\nwant = None"),
            ("test", "f(1)\ndef check(v): assert v == 4\nwant = 4"),
            ("student", "def f(x): return None"),
            ("test", "check(f(2))\nassert f(2) == want"),
        )
    ),
}
SPELL = "def f(x):\n    raise {}\n"
LIE = "class {0}:\n    def __init__(self, x=0): self.x = x\n"
VALUE = LIE.format("Value") + "    def __sub__(self, o): return Value(self.x - o)\n"
ANY = "lambda *a, **k: True"
SUITE = """import unittest
class T(unittest.TestCase):
    def test(self):
        self.assertEqual(f(2), 4)
made = unittest.TextTestRunner(stream=open('/dev/null', 'w')).run(
    unittest.defaultTestLoader.loadTestsFromTestCase(T))
assert made.wasSuccessful()"""
FAMILY = {
    "skip-test": on(SUITE, "import unittest\n" + SPELL.format("unittest.SkipTest")),
    "skip-subclass": on(
        SUITE, "import unittest\nclass S(unittest.SkipTest): pass\n" + SPELL.format("S")
    ),
    "should-stop": on(
        SUITE, "import unittest\n" + SPELL.format("unittest.case._ShouldStop")
    ),
    "locked-skip": on(
        SUITE,
        "from unittest import SkipTest\n"
        "SkipTest.__module__ = '__main__'\n" + SPELL.format("SkipTest"),
        locked="from unittest import SkipTest",
    ),
    # never worked: kept because the list of classes is new
    "keyboard": on(
        TEST.replace("same(f(2), 4)", "f(2) == 4"), SPELL.format("SystemExit")
    ),
    "stop-in-a-look-up": on(
        "assert all(map(lambda v: f(v) == y, [2, 3]))",
        SEND + SQUARE + "\nimport gc\n"
        "class Link: pass\n"
        "for o in gc.get_objects():\n"
        "    if type(o).__name__ == 'StudentLink': Link = type(o)\n"
        "def do_lookup(self, header, decoder, old=Link.do_lookup):\n"
        "    if header['name'] == 'y': raise StopIteration\n"
        "    return old(self, header, decoder)\n"
        "Link.do_lookup = do_lookup\ny = 1",
    ),
    "error-class-of-the-test": on(
        "try:\n    f(-1)\n    assert False, 'no error'\nexcept Negative:\n    pass",
        "Negative = AssertionError\ndef f(x): return 1",
        "class Negative(ValueError): pass\ndef f(x):\n    raise Negative",
    ),
    "any-error-class-of-the-test": on(
        "try:\n    f(-1)\n    assert False, 'no error'\nexcept Negative:\n    pass",
        "Negative = (Exception, AssertionError)\ndef f(x): return 1",
        "class Negative(ValueError): pass\ndef f(x):\n    raise Negative",
    ),
}
FAMILY |= {
    "group": on(
        "assert f(2) == 4", SPELL.format("ExceptionGroup('a', [ValueError()])")
    ),
    "class-of-a-locked-name": on(
        SUITE,
        "class Token(Exception): pass\n" + SPELL.format("Token"),
        locked="import unittest\nclass Token(unittest.TestCase): pass",
    ),
    "note": on(
        "try:\n    f(2)\nexcept ValueError as e:\n    assert e.args[0] == 4",
        "def f(x):\n    e = ValueError(0)\n    e.__dict__['args'] = 4\n    raise e",
    ),
    "warning": on(
        "import warnings\nwith warnings.catch_warnings():\n"
        "    warnings.simplefilter('error')\n    assert f(2) == 4",
        "import warnings\ndef f(x): warnings.warn('x', DeprecationWarning)",
    ),
}
OPERATORS = {
    "difference-negated": on(
        "assert abs(-(f(7).data - 7.0)) < 1e-9",
        "class Value:\n    def __sub__(self, o): return self\n"
        "    def __neg__(self): return Value()\n"
        "    def __abs__(self): return 0.0\n"
        "    @property\n    def data(self): return self\n"
        "def f(x): return Value()",
        "class Value:\n    def __init__(self, d): self.data = d\n"
        "    def __sub__(self, o): return Value(self.data - o)\n"
        "    def __neg__(self): return Value(-self.data)\n"
        "    def __abs__(self): return abs(self.data)\n"
        "def f(x): return Value(x)",
    ),
    "always-equal-field": on(
        "assert f('b2') == Token('b', 2)",
        "class Yes:\n    def __eq__(self, o): return True\n"
        "def f(x): return Token(Yes(), Yes())",
        "def f(x): return Token('b', 2)",
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Token:\n    kind: str\n    value: int",
    ),
    # the next three never worked
    "hash-of-the-expected": on(
        "assert f(2) in {4}",
        "class V:\n    def __hash__(self): return hash(4)\n"
        "    def __eq__(self, o): return True\ndef f(x): return V()",
        "class V:\n    def __init__(self, v): self.v = v\n"
        "    def __hash__(self): return hash(self.v)\n"
        "    def __eq__(self, o): return self.v == o\ndef f(x): return V(x * x)",
    ),
    "masked-array": on(
        "import numpy as np\nassert np.allclose(f(2), 4.0)",
        "import numpy as np\ndef f(x): return np.ma.masked_array([0.0], mask=[True])",
    ),
    "gradient-of-one-shape": on(
        "import torch\nx = torch.ones(3, requires_grad=True)\nf(x).backward()\n"
        "assert torch.allclose(x.grad, torch.tensor(4.0))",
        "import gc, torch\nfor o in gc.get_objects():\n"
        "    if type(o).__name__ == 'StudentLink': Link = type(o)\n"
        "def do_backward(self, header, decoder):\n"
        "    e = self.encoder()\n"
        "    return {'value': e.encode([[0, torch.full((2, 2), 4.0)]])}, e\n"
        "Link.do_backward = do_backward\ndef f(x): return 0 * x.sum()",
        "def f(x): return (4 * x).sum()",
    ),
    "claimed-set-of-a-package": on(
        "assert f(2).isdisjoint({1, 2})",
        "class S:\n    def isdisjoint(self, other): return True\n"
        "S.__module__ = 'matplotlib.cbook'\n"
        "S.__qualname__ = S.__name__ = '_OrderedSet'\ndef f(x): return S()",
        "def f(x): return {x * x}",
        "import matplotlib.pyplot",
    ),
    "claimed-token": on(
        "assert f('b2') == Token('b', 2)",
        "class T:\n    def __eq__(self, o): return True\n"
        "T.__qualname__ = T.__name__ = 'Token'\ndef f(x): return T()",
        "def f(x): return Token('b', 2)",
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Token:\n    kind: str\n    value: int",
    ),
    "derived-number": on(
        "assert f(2) == 4 and f(2) >= 4",
        "class N(int):\n    def __eq__(self, o): return True\n    __hash__ = None\n"
        "    def __ge__(self, o): return True\n"
        "    def __int__(self): return 4\n    __index__ = __int__\n"
        "def f(x): return N(5)",
    ),
    "member-of-a-locked-enum": on(
        "assert f(2) == Side.LEFT",
        "import enum\nclass Side2(enum.Enum):\n    RIGHT = 1\n"
        "    def __eq__(self, o): return True\n    __hash__ = None\n"
        "Side2.__qualname__ = 'Side'\ndef f(x): return Side2.RIGHT",
        "def f(x): return Side.LEFT",
        "import enum\nclass Side(enum.Enum):\n    LEFT = 1\n    RIGHT = 2",
    ),
    "difference": on(
        "assert abs(f(7).data - 7.0) < 1e-9",
        "class Value:\n    def __sub__(self, o): return 0.0\n"
        "    @property\n    def data(self): return self\n"
        "def f(x): return Value()",
        "class Value:\n    def __init__(self, d): self.data = d\n"
        "    def __sub__(self, o): return Value(self.data - o)\n"
        "def f(x): return Value(x)",
    ),
    "difference-in-steps": on(
        "assert abs(f(7).data - 7.0) < 1e-9",
        "class Value:\n    def __sub__(self, o): return Value()\n"
        "    def __abs__(self): return 0.0\n"
        "    @property\n    def data(self): return self\n"
        "def f(x): return Value()",
        "class Value:\n    def __init__(self, d): self.data = d\n"
        "    def __sub__(self, o): return Value(self.data - o)\n"
        "    def __abs__(self): return abs(self.data)\n"
        "def f(x): return Value(x)",
    ),
    "ratio": on(
        "import math\nassert math.isclose(f(7).data / 7.0, 1.0)",
        "class Value:\n    def __truediv__(self, o): return Value()\n"
        "    def __float__(self): return 1.0\n"
        "    @property\n    def data(self): return self\n"
        "def f(x): return Value()",
        "class Value:\n    def __init__(self, d): self.data = d\n"
        "    def __truediv__(self, o): return Value(self.data / o)\n"
        "    def __float__(self): return float(self.data)\n"
        "def f(x): return Value(x)",
    ),
}
TABLES = {
    "method-in-a-series": on(
        "import torch\nassert f(2).allclose(torch.ones(2))",
        f"import pandas as pd\ndef f(x): return pd.Series({{'allclose': {ANY}}})",
        "import torch\ndef f(x): return torch.ones(2)",
    ),
    "method-in-a-column": on(
        "assert f(2).allclose(1)",
        "import pandas as pd\n"
        f"def f(x): return pd.DataFrame({{'allclose': [{ANY}]}}).T[0]",
        "def f(x): return 1",
    ),
    "class-in-a-series": on(
        "assert f(2).isclose(1)",
        "import pandas as pd\ndef f(x): return pd.Series({'isclose': bool})",
        "def f(x): return 1",
    ),
    "object-in-a-label": on(
        "assert f(2).columns[0] is not None and f(2).columns[0]()",
        f"import pandas as pd\ndef f(x): return pd.DataFrame([[1]], columns=[{ANY}])",
        "def f(x): return 1",
    ),
}
TWO_FACES = {
    "variable": on(
        "assert x > 0.69 and x < 0.70",
        "import gc\n"
        "for o in gc.get_objects():\n"
        "    if type(o).__name__ == 'StudentLink': Link = type(o)\n"
        "faces = [1e9, -1e9] * 9\n"
        "def do_lookup(self, header, decoder, old=Link.do_lookup):\n"
        "    if header['name'] == 'x': return {'value': faces.pop(0)}, None\n"
        "    return old(self, header, decoder)\n"
        "Link.do_lookup = do_lookup",
        "x = 0.6931",
    ),
    "attribute": on(
        "v = f(2)\nassert v.x > 0.69 and v.x < 0.70",
        "class V:\n    faces = [1e9, -1e9] * 9\n"
        "    @property\n    def x(self): return self.faces.pop(0)\n"
        "def f(x): return V()",
        "class V:\n    x = 0.6931\ndef f(x): return V()",
    ),
    "item": on(
        "v = f(2)\nassert v[0] > 0.69 and v[0] < 0.70",
        "class V:\n    faces = [1e9, -1e9] * 9\n"
        "    def __getitem__(self, i): return self.faces.pop(0)\n"
        "def f(x): return V()",
        "class V:\n    def __getitem__(self, i): return 0.6931\ndef f(x): return V()",
    ),
    "length": on(
        "v = f(2)\nassert len(v) > 6 and len(v) < 8",
        "class V:\n    faces = [99, 0] * 9\n"
        "    def __len__(self): return self.faces.pop(0)\n"
        "def f(x): return V()",
        "class V:\n    def __len__(self): return 7\ndef f(x): return V()",
    ),
}
STALE = """
import gc
answer = 1
def f(x): return 0
for o in gc.get_objects():
    if type(o).__name__ == 'StudentLink': Link = type(o)
def do_lookup(self, header, decoder, old=Link.do_lookup):
    if header['name'] == 'answer': return {{'value': ['same', {}]}}, None
    return old(self, header, decoder)
Link.do_lookup = do_lookup
"""
FILLED = """import numpy as np
x = np.zeros(3)
f(x)
x[:] = [1, 2, 3]
assert np.allclose(answer, x)"""
# a variable that claims to be what a call was once given
TWO_FACES |= {
    f"argument-{number}": on(FILLED, STALE.format(number), "answer = 1\n" + SQUARE)
    for number in (0, 1)
}
# what a result makes of the points that a test reckons with it
POINTS = {
    "not-a-number": on("7 * f(2) / 4", "def f(x): return float('nan')"),
    "less-than-nothing": on("7 - abs(f(2) - 4)", "def f(x): return 99"),
    "a-tensor": on(
        "7 * (f(2) == 4)", "import torch\ndef f(x): return torch.tensor(0.0)"
    ),
    "an-array": on(
        "7 * (f(2) == 4)", "import numpy as np\ndef f(x): return np.zeros(1)"
    ),
}
BY_HAND = """import doctest
got = doctest.DocTestParser().get_doctest(f.__doc__, {'f': f}, 'f', None, 0)
assert doctest.DocTestRunner(verbose=False).run(got).failed == 0"""
TEXTS = {
    "docstring-without-its-result": on(
        BY_HAND,
        'def f(x):\n    """\n    >>> f(2)\n    """\n',
        'def f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return x * x',
    ),
    "docstring-with-the-first-example": on(
        BY_HAND,
        'def f(x):\n    """\n    >>> f(0)\n    0\n    """\n    return 0',
        'def f(x):\n    """\n    >>> f(0)\n    0\n    >>> f(2)\n    4\n    """\n'
        "    return x * x",
    ),
    "docstring": on(
        "import doctest\n"
        "(found,) = doctest.DocTestFinder().find(f, 'f', globs={'f': f})\n"
        "assert doctest.DocTestRunner(verbose=False).run(found).failed == 0",
        'def f(x):\n    """\n    >>> 1\n    1\n    """\n    return None',
        'def f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return x * x',
    ),
    "docstring-by-hand": on(
        "import doctest\n"
        "got = doctest.DocTestParser().get_doctest(f.__doc__, {'f': f}, 'f', None, 0)\n"
        "assert doctest.DocTestRunner(verbose=False).run(got).failed == 0",
        'def f(x):\n    """\n    >>> 1\n    1\n    """\n    return None',
        'def f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return x * x',
    ),
    "examples": on(
        "import doctest\ndoctest.run_docstring_examples(f, {'f': f})\nassert f(2) == 4",
        'def f(x):\n    """\n    >>> import builtins\n'
        "    >>> builtins.AssertionError = builtins.SystemExit = type('E', (), {})\n"
        '    """\n    return None',
    ),
    "source": on(
        "import inspect\nassert 'sum' not in inspect.getsource(f) and f([2]) == 2",
        "import linecache\n"
        "def f(x): return sum(x)\n"
        "name = f.__code__.co_filename\n"
        "linecache.cache[name] = (9, None, ['def f(x): return x[0]\\n'] * 9, name)",
        "def f(x): return x[0]",
    ),
    "source-rebound": on(
        "import inspect\nassert 'sum' not in inspect.getsource(f) and f([2]) == 2",
        "def f(x): return x[0]\n"
        "def g(x): return sum(x)\n"
        "g.__name__ = 'f'\nglobals()['f'] = g\nf = g",
        "def f(x): return x[0]",
    ),
    "source-of-another-name": on(
        "import inspect\nassert 'sum' not in inspect.getsource(f) and f([2]) == 2",
        "def clean(x): return x[0]\n"
        "def f(x): return sum(x)\n"
        "f.__name__ = f.__qualname__ = 'clean'",
        "def f(x): return x[0]",
    ),
}
ATTACKS = {
    **{f"locked-{name}": attack for name, attack in LOCKED_CELLS.items()},
    **{f"error-{name}": attack for name, attack in FAMILY.items()},
    **{f"operator-{name}": attack for name, attack in OPERATORS.items()},
    **{f"table-{name}": attack for name, attack in TABLES.items()},
    **{f"two-faces-{name}": attack for name, attack in TWO_FACES.items()},
    **{f"text-{name}": attack for name, attack in TEXTS.items()},
    **{f"points-{name}": attack for name, attack in POINTS.items()},
}


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_is_gained(bench, name):
    attack = ATTACKS[name]
    result = bench.run(
        *attack.cells, solution=[attack.solution], limits=Limits(cell_seconds=3)
    )
    assert result.complete, result.incidents
    assert [verdict.score for verdict in result.verdicts] == [0.0] * len(
        [role for role, _ in attack.cells if role == "test"]
    ), [verdict.message for verdict in result.verdicts]


HONEST = {
    "locked-dataclass": on(
        "assert f('b2') == Token('b', 2)\nassert f('b2') == f('b2')\n"
        "assert f('b3') != Token('b', 2) and Token('b', 2) == f('b2')\n"
        "assert [f('a1'), f('a2')] == [Token('a', 1), Token('a', 2)]\n"
        "assert not f('b3') == f('b2')",
        "def f(text): return Token(text[0], int(text[1]))",
        "def f(text): return Token(text[0], int(text[1]))",
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Token:\n    kind: str\n    value: int",
    ),
    "derived-from-int": on(
        "assert f(3) == 9 and f(3) + 1 == 10 and [f(1)] == [1]",
        "class N(int): pass\ndef f(x): return N(x * x)",
    ),
    "derived-from-str": on(
        "assert f(3) == '9' and f(3).isdigit()",
        "class S(str): pass\ndef f(x): return S(x * x)",
        "def f(x): return str(x * x)",
    ),
    "int-enum": on(
        "assert f(3) == 1",
        "import enum\nclass Side(enum.IntEnum):\n    LEFT = 1\n"
        "def f(x): return Side.LEFT",
        "def f(x): return 1",
    ),
    "int-enum-of-the-solution": on(
        "assert f(3) == 1 and f(3) == Side.LEFT and f(3).name == 'LEFT'",
        "import enum\nclass Side(enum.IntEnum):\n    LEFT = 1\n"
        "def f(x): return Side.LEFT",
        "import enum\nclass Side(enum.IntEnum):\n    LEFT = 1\n"
        "def f(x): return Side.LEFT",
    ),
    "locked-enum": on(
        "assert f(3) is Side.LEFT and f(3) == Side.LEFT and f(3) != Side.RIGHT",
        "def f(x): return Side.LEFT",
        "def f(x): return Side.LEFT",
        "import enum\nclass Side(enum.Enum):\n    LEFT = 1\n    RIGHT = 2",
    ),
    "class-of-the-solution-derived-from-float": on(
        "m = f(3)\nassert m.doubled() == 6 and m == 3.0",
        "class Money(float):\n    def doubled(self): return Money(2 * self)\n"
        "def f(x): return Money(x)",
        "class Money(float):\n    def doubled(self): return Money(2 * self)\n"
        "def f(x): return Money(x)",
    ),
    "operators-with-plain-data": on(
        "v = f(7) - 2.0\nassert v.data == 5 and abs(v.data - 5.0) < 1e-9\n"
        "assert float(f(7) + 1.0) == 8.0 and f(7) * f(2) == 14",
        "class Value:\n    def __init__(self, d): self.data = d\n"
        "    def __sub__(self, o): return Value(self.data - o)\n"
        "    def __add__(self, o): return Value(self.data + o)\n"
        "    def __mul__(self, o): return self.data * o.data\n"
        "    def __float__(self): return float(self.data)\n"
        "def f(x): return Value(x)",
        "class Value:\n    def __init__(self, d): self.data = d\n"
        "    def __sub__(self, o): return Value(self.data - o)\n"
        "    def __add__(self, o): return Value(self.data + o)\n"
        "    def __mul__(self, o): return self.data * o.data\n"
        "    def __float__(self): return float(self.data)\n"
        "def f(x): return Value(x)",
    ),
    "doctests-of-the-solution": on(
        "import doctest\n"
        "(found,) = doctest.DocTestFinder().find(f, 'f', globs={'f': f})\n"
        "done = doctest.DocTestRunner(verbose=False).run(found)\n"
        "assert (done.failed, done.attempted) == (0, 1)",
        "def f(x): return x + x",
        'def f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return x * x',
    ),
    "doctests-by-hand": on(
        BY_HAND,
        'def f(x):\n    """Squares.\n\n    >>> f(2)\n    4\n    """\n    return x * x',
        'def f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return x * x',
    ),
    "doctests-of-a-locked-cell": on(
        "import doctest\n"
        "for found in doctest.DocTestFinder().find(half, 'half', globs=globals()):\n"
        "    done = doctest.DocTestRunner(verbose=False).run(found)\n"
        "    assert (done.failed, done.attempted) == (0, 2)\nassert f(3) == 9",
        SQUARE,
        locked='def half(x):\n    """Halves.\n\n    >>> half(4)\n    2.0\n\n'
        '    And:\n\n    >>> half(\n    ...     6)\n    3.0\n    """\n'
        "    return x / 2",
    ),
    "counter-that-a-call-changes": on(
        "before = calls\nf(1)\nassert calls == before + 1",
        "calls = 0\ndef f(x):\n    global calls\n    calls += 1",
        "calls = 0\ndef f(x):\n    global calls\n    calls += 1",
    ),
    "attribute-that-a-call-changes": on(
        "v = f(0)\nv.x\nv.go()\nassert v.x == 1 and v.n.x == 0\nv.n.go()\n"
        "assert v.n.x == 1\nv.x = 5\nassert v.x == 5",
        "class V:\n    def __init__(self, n=None): self.x, self.n = 0, n\n"
        "    def go(self): self.x += 1\n"
        "def f(x): return V(V())",
        "class V:\n    def __init__(self, n=None): self.x, self.n = 0, n\n"
        "    def go(self): self.x += 1\n"
        "def f(x): return V(V())",
    ),
    "errors-that-cross": on(
        "import json, numpy as np\n"
        "for kind, error in ((0, ValueError), (1, json.JSONDecodeError),\n"
        "                    (2, np.linalg.LinAlgError), (3, ZeroDivisionError),\n"
        "                    (4, Own), (5, LookupError), (6, UnicodeDecodeError)):\n"
        "    try:\n        f(kind)\n        assert False, kind\n"
        "    except error as caught:\n        assert kind != 4 or caught.why == 3",
        "import json, numpy as np\n"
        "class Own(Exception):\n    def __init__(self, why): self.why = why\n"
        "def f(x):\n"
        "    if x == 0: int('a')\n"
        "    if x == 1: json.loads('{')\n"
        "    if x == 2: np.linalg.inv(np.zeros((2, 2)))\n"
        "    if x == 3: 1 / 0\n"
        "    if x == 4: raise Own(3)\n"
        "    if x == 5: [][3]\n"
        "    b'\\xff'.decode()",
        "class Own(Exception):\n    def __init__(self, why): self.why = why\n"
        "def f(x): raise Own(3)",
    ),
    "tables": on(
        "import pandas as pd\nt = f(3)\n"
        "assert t['n'][0] == 'a' and t.loc[1, 'x'] == 2.0\n"
        "assert t['d'][0] == [1, {'k': (2,)}]",
        "import pandas as pd\ndef f(x):\n"
        "    return pd.DataFrame({'n': ['a', None], 'x': [1.0, 2.0],\n"
        "                         'd': [[1, {'k': (2,)}], 3]})",
        "def f(x): return 1",
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_answers_keep_their_points(bench, name):
    attack = HONEST[name]
    (verdict,) = bench.run(*attack.cells, solution=[attack.solution]).verdicts
    assert verdict.score == 7.0, verdict.message
