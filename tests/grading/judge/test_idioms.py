"""What instructors write in test cells works through the judge as in one kernel.

Each case has a right answer, which passes, and a wrong one, which must not.
"""

from dataclasses import dataclass

import pytest
from made_course import cell, grade, make_course, notebook, submit


@dataclass
class Case:
    """`right` stands for the instructor's solution, too."""

    right: str
    wrong: str
    test: str
    locked: str = "import numpy as np\nimport torch"


VECTOR = """
class Vector:
    def __init__(self, x, y): self.x, self.y = x, y
    def __repr__(self): return f"Vector({self.x}, {self.y})"
    def __eq__(self, o): return isinstance(o, Vector) and (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __mul__(self, k): return Vector(k * self.x, k * self.y)
    __rmul__ = __mul__
    def __len__(self): return 2
"""
EMPTY = "class Vector:\n    def __init__(self, *a): pass\n"
SUITE = """
import unittest
class T(unittest.TestCase):
    def test_f(self): self.assertEqual(f(2), 4)
assert unittest.main(argv=[""], exit=False).result.wasSuccessful()
"""
DOCTEST = """
import doctest
(found,) = doctest.DocTestFinder().find(f, "f", globs={"f": f})
assert doctest.DocTestRunner(verbose=False).run(found).failed == 0
"""
F = "def f(x): return 2 * x"
BAD_F = "def f(x): return x"
CASES = {
    "unittest-main": Case(F, BAD_F, SUITE),
    "patch-main": Case(
        F + "\ndef g(x): return f(x) + 1",
        F + "\ndef g(x): return 2 * x + 1",
        "from unittest.mock import patch\n"
        "with patch('__main__.f', return_value=10): assert g(1) == 11",
    ),
    "doctest": Case(
        'def f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return 2 * x',
        'def f(x):\n    """\n    >>> f(2)\n    4\n    """\n    return x',
        DOCTEST,
    ),
    "docstring": Case(
        'def f(x):\n    "Twice."\n    return 2 * x',
        F,
        "assert f.__doc__ is not None and len(f.__doc__) > 3",
    ),
    "capture": Case(F, BAD_F, "%%capture\nassert f(2) == 4"),
    "time-magic": Case(F, BAD_F, "%%time\nassert f(2) == 4"),
    "is-not": Case(
        "def f(x): return x.copy()",
        "def f(x): return x",
        "a = np.ones(3)\nb = f(a)\nassert b is not a and (a == b).all()",
    ),
    "is": Case(
        "def f(x):\n    x.append(1)\n    return x",
        "def f(x): return x + [1]",
        "a = [0]\nassert f(a) is a and a == [0, 1]",
    ),
    "repr": Case(VECTOR, EMPTY, "assert repr([Vector(1, 2)]) == '[Vector(1, 2)]'"),
    "unequal-to-data": Case(
        VECTOR, EMPTY, "assert Vector(1, 2) != 5 and not Vector(1, 2) != Vector(1, 2)"
    ),
    "type-of": Case(
        VECTOR + "def make(): return Vector(1, 2)",
        VECTOR + "class Other(Vector): pass\ndef make(): return Other(1, 2)",
        "assert type(make()) is Vector and type(make()).__name__ == 'Vector'",
    ),
    "type-of-library-class": Case(
        "def make(): return torch.nn.Linear(2, 3)",
        "def make(): return torch.nn.Conv1d(2, 3, 1)",
        "assert type(make()) is torch.nn.Linear",
    ),
    "has-operator": Case(VECTOR, EMPTY, "assert hasattr(Vector(1, 2), '__len__')"),
    "set-of-objects": Case(
        VECTOR, EMPTY, "assert len({Vector(1, 2), Vector(1, 2), Vector(3, 4)}) == 2"
    ),
    "reflected": Case(VECTOR, EMPTY, "assert 3 * Vector(1, 2) == Vector(3, 6)"),
    "input": Case(
        "def ask(): return 'hello ' + input('name?')",
        "def ask(): return 'hello ' + 'Zoe'",
        "from unittest.mock import patch\n"
        "with patch('builtins.input', return_value='Kim') as asked:\n"
        "    assert ask() == 'hello Kim'\nasked.assert_called_once()",
    ),
    "in-globals": Case("answer = 42", "other = 42", "assert 'answer' in globals()"),
    "command": Case("!true\nanswer = 42", "!true\nanswer = 41", "assert answer == 42"),
    "same-seed-twice": Case(
        "def draw(): return np.random.rand(3)",
        "n = [0]\ndef draw():\n    n[0] += 1\n    return np.random.rand(3) + n[0]",
        "np.random.seed(0)\na = draw()\nnp.random.seed(0)\nassert (a == draw()).all()",
    ),
    "state-dict": Case(
        "def make(): return torch.nn.Linear(2, 1)",
        "def make(): return torch.nn.Linear(2, 2)",
        "m = make()\nm.load_state_dict({'weight': torch.ones(1, 2), "
        "'bias': torch.zeros(1)})\nassert m(torch.ones(1, 2)).item() == 2",
    ),
    "standard-types": Case(
        "from fractions import Fraction\nfrom collections import Counter, deque\n"
        "from datetime import date\n"
        "def f(x):\n"
        "    return [Fraction(x, 3), Counter('aab'), deque([x]), date(2020, 1, x)]",
        "def f(x): return [x / 3, {'a': 2, 'b': 1}, [x], f'2020-01-0{x}']",
        "from fractions import Fraction\nfrom collections import Counter, deque\n"
        "import datetime\na, b, c, d = f(2)\nassert a == Fraction(2, 3)\n"
        "assert b.most_common(1) == [('a', 2)] and c == deque([2])\n"
        "assert d == datetime.date(2020, 1, 2) and type(b) is Counter",
    ),
    "locked-exception": Case(
        "def f(x): raise CourseError(7)",
        "def f(x): raise ValueError(7)",
        "try:\n    f(1)\nexcept CourseError as error:\n    assert error.code == 7\n"
        "else:\n    raise AssertionError('no error')",
        "class CourseError(Exception):\n    def __init__(self, code): self.code = code",
    ),
    "own-exceptions": Case(
        "class Base(Exception): pass\nclass Sub(Base): pass\ndef f(x): raise Sub('no')",
        "class Base(Exception): pass\nclass Sub(Exception): pass\n"
        "def f(x): raise Sub('no')",
        "assert issubclass(Sub, Base)\ntry:\n    f(1)\nexcept Base: pass",
    ),
    "source": Case(
        "def f(x): return sum(x)",
        "def f(x):\n    for y in x: pass\n    return sum(x)",
        "import inspect\nassert 'for' not in inspect.getsource(f)",
    ),
    "signature": Case(
        "def f(x, base=10): return x",
        "def f(x, base=2): return x",
        "import inspect\nassert inspect.signature(f).parameters['base'].default == 10",
    ),
    "await": Case(
        "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return 2 * x",
        "async def f(x): return x",
        "assert await f(2) == 4",
    ),
    "enum": Case(
        "import enum\nclass Color(enum.Enum):\n    RED = 1",
        "import enum\nclass Color(enum.Enum):\n    RED = 2",
        "assert Color.RED.value == 1 and Color.RED.name == 'RED'",
    ),
    "figure": Case(
        "import matplotlib.pyplot as plt\n"
        "def draw():\n    fig, ax = plt.subplots()\n    ax.plot([1, 2])\n"
        "    ax.set_xlabel('t')\n    return fig",
        "import matplotlib.pyplot as plt\ndef draw(): return plt.subplots()[0]",
        "(ax,) = draw().axes\nassert ax.get_xlabel() == 't' and len(ax.lines) == 1",
        "import pandas as pd",
    ),
    "frame": Case(
        "def f(d): return d.assign(c=d.a + d.b)",
        "def f(d): return d.assign(c=d.a)",
        "d = pd.DataFrame({'a': [1, 2], 'b': [3.0, 4.0], 's': ['x', None]})\n"
        "pd.testing.assert_frame_equal(f(d), d.assign(c=d.a + d.b))\n"
        "assert f(d).shape == (2, 4) and f(d).c.tolist() == [4.0, 6.0]",
        "import pandas as pd",
    ),
    "frame-in-place": Case(
        "def f(d): d['c'] = 7",
        "def f(d): d.assign(c=7)",
        "d = pd.DataFrame({'a': [1, 2]}, index=['p', 'q'])\nf(d)\n"
        "assert list(d.columns) == ['a', 'c'] and d.c.sum() == 14",
        "import pandas as pd",
    ),
    "series": Case(
        "def f(s): return s.groupby(level=0).mean()",
        "def f(s): return s",
        "s = pd.Series([1.0, 3.0, 5.0], index=['a', 'a', 'b'], name='n')\n"
        "want = pd.Series([2.0, 5.0], index=['a', 'b'], name='n')\n"
        "assert f(s).equals(want) and f(s).name == 'n'",
        "import pandas as pd",
    ),
    "false-frame": Case(
        "def f(): return pd.DataFrame({'a': [1]})",
        "class Frame:\n    def equals(self, other): return True\n"
        "def f(): return Frame()",
        "assert f().equals(pd.DataFrame({'a': [1]}))",
        "import pandas as pd",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_right_and_wrong_answers(bench, name):
    case = CASES[name]
    told = {"solution": [case.right], "locked": case.locked}
    ok, message = bench.check(case.right, case.test, **told)
    assert ok, message
    ok, _ = bench.check(case.wrong, case.test, **told)
    assert not ok


@pytest.mark.parametrize(
    "table",
    [
        "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']}, index=[3, 5])",
        "pd.DataFrame({('a', 1): [1.5], ('b', 2): [True]})",
        "pd.DataFrame()",
        "pd.DataFrame({'t': pd.to_datetime(['2020-01-01', None])})",
        "pd.DataFrame({'c': pd.Categorical(['u', 'v', 'u'])})",
        "pd.DataFrame({'i': pd.array([1, None], dtype='Int64')})",
        "pd.Series([1, 2, 3], name='n')",
        "pd.Series(['a', None], index=pd.MultiIndex.from_tuples([(1, 'x'), (2, 'y')]))",
        "pd.Index(['p', 'q'], name='k')",
    ],
)
def test_tables_arrive_as_they_are(bench, table):
    test = f"assert f().equals({table}) and g({table})"
    student = f"import pandas as pd\ndef f(): return {table}\n"
    student += f"def g(t): return bool(t.equals({table}))"
    ok, message = bench.check(student, test, locked="import pandas as pd")
    assert ok, message


def test_testmod_says_that_it_finds_nothing(bench):
    ok, message = bench.check(F, "import doctest\ndoctest.testmod()")
    assert not ok
    assert "DocTestFinder" in message


def test_locked_data_that_an_answer_changes(tmp_path):
    """What the solution changes in place is the student's from there on."""
    locked = "import numpy as np\ndata, conf, grid = [3, 1, 2], {'a': 1}, np.zeros(3)"
    answer = "data.sort()\nconf['b'] = 2\ngrid[1] = 5\nnp.random.seed(1)"
    test = "assert data == [1, 2, 3] and conf == {'a': 1, 'b': 2} and grid[1] == 5"
    made = notebook(
        cell("locked", "setup", locked),
        cell("solution", "change", f"### BEGIN SOLUTION\n{answer}\n### END SOLUTION"),
        cell("test", "test_change", test, 1),
    )
    folder = make_course(tmp_path / "course", "set1", {"problem": made})
    submit(folder, "set1", "problem", "right", {"change": answer})
    submit(folder, "set1", "problem", "wrong", {"change": "sorted(data)"})
    fake = "class np:\n    pass\ndata = [2, 1]"
    submit(folder, "set1", "problem", "fake", {"change": fake})
    rows = grade(folder, "set1").rows
    assert {name: row["score"] for name, row in rows.items()} == {
        "right": 1.0,
        "wrong": 0.0,
        "fake": 0.0,
    }


def test_what_cannot_be_rebuilt_over_there_ends_nothing(bench):
    locked = "import enum\nclass Color(enum.Enum):\n    RED = 1"
    test = "try:\n    f(Color.RED)\nexcept TypeError: pass\nassert f(3) == 3"
    ok, message = bench.check("def f(x): return x", test, locked=locked)
    assert ok, message
