"""Functions that look at things in a way a stand-in cannot answer by itself.

Tests use them as ever: `hasattr(v, "__len__")`, `type(v)`, `inspect.getsource(f)`.
The text of a function is that of the cells which the judge has; the examples in a
docstring are those of the instructor's version. What a student's process says of
either is never believed, and never run.
"""

import ast
import doctest
import functools
import inspect
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from course_tools.grading.judge.proxies import StandIn
from course_tools.grading.judge.proxy_base import Refused
from course_tools.grading.messages import Plan, SolutionFacts
from course_tools.grading.plan.solution_facts import DEFINITIONS, parse

if TYPE_CHECKING:
    from course_tools.grading.judge.namespace import JudgeNamespace

_getsource = inspect.getsource
_find = doctest.DocTestFinder.find
_run = doctest.DocTestRunner.run
Examples = tuple[tuple[str, str], ...]  # what is typed, and what is expected


def install(names: "JudgeNamespace", plan: Plan) -> None:
    """Let test cells see these in place of the originals."""
    for name, function in (("hasattr", has_attribute), ("__class_of__", class_of)):
        dict.__setitem__(names, name, function)
    cells = [cell.source for cell in plan.cells if cell.role == "student"]
    trusted = [cell.source for cell in plan.cells if cell.role != "student"]
    inspect.getsource = functools.partial(get_source, cells)
    doctest.testmod = no_testmod
    finder: Any = doctest.DocTestFinder
    finder.find = functools.partialmethod(find_examples, plan.solution)
    texts = [*plan.solution.docs.values()]
    for source in trusted:
        texts += _texts_in(source)
    known = {_examples(text) for text in texts}
    runner: Any = doctest.DocTestRunner
    runner.run = functools.partialmethod(run_examples, known)


def has_attribute(value: Any, name: str) -> bool:
    """A stand-in has every operator; whether the student's object has is asked."""
    operator = issubclass(type(value), StandIn) and name.startswith("__")
    if not operator:
        return hasattr(value, name)
    return value._do("hasattr", value, name) is True


def class_of(value: Any) -> Any:
    """What `type(value)` is in a test: never a class of data for a student object."""
    if not issubclass(type(value), StandIn):
        return type(value)
    if value._facts.exact_class is not None:
        return value._facts.exact_class
    cls = value._do("type", value)
    if not issubclass(type(cls), StandIn):
        raise Refused(value._expected_data("asked for its type"))
    return cls


def get_source(cells: Sequence[str], value: Any) -> str:
    """Return the text of a function or class, as it stands in the student's cells."""
    if not issubclass(type(value), StandIn):
        return _getsource(value)
    paths = value._link.paths.get(value._handle, {"?"})
    return "\n".join(definition(path, cells) for path in sorted(paths))


def definition(path: str, cells: Sequence[str]) -> str:
    """Return where `f` or `Model.forward` is defined; all cells if that is not clear.

    It is clear if the name is bound once in all cells, and by a definition.
    """
    everything = "\n".join(cells)
    trees = [(source, parse(source)) for source in cells]
    fitting = []
    for name in path.split("."):
        fitting = [
            (source, node)
            for source, tree in trees
            for node in ast.walk(tree)
            if name in _bound_by(node)
        ]
        if len(fitting) != 1 or not isinstance(fitting[0][1], DEFINITIONS):
            return everything
        trees = fitting
    return _segment(*fitting[0])


def _bound_by(node: ast.AST) -> Sequence[str]:
    """The names that this very node binds, as a variable or as an attribute."""
    if isinstance(node, DEFINITIONS):
        return (node.name,)
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(
        node.ctx, ast.Load
    ):
        return (node.id if isinstance(node, ast.Name) else node.attr,)
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.Constant) and type(node.value) is str:
        return (node.value,)  # globals()["f"] = …, setattr(Model, "forward", …)
    return node.names if isinstance(node, ast.Global) else ()


def _segment(source: str, node: ast.AST) -> str:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])  # pyright: ignore
    lines = source.split("\n")[first - 1 : node.end_lineno]  # pyright: ignore
    return "\n".join(lines) + "\n"


def find_examples(
    finder: doctest.DocTestFinder,
    solution: SolutionFacts,
    obj: Any,
    name: str | None = None,
    module: Any = None,
    globs: dict[str, Any] | None = None,
    extraglobs: dict[str, Any] | None = None,
) -> list[doctest.DocTest]:
    """What DocTestFinder.find does, with the examples that the instructor wrote."""
    if not issubclass(type(obj), StandIn):
        return _find(finder, obj, name, module, globs, extraglobs)
    paths = obj._link.paths.get(obj._handle, ())
    known = [solution.docs.get(path.rpartition(".")[2]) for path in paths]
    if len(known) != 1 or known[0] is None:
        raise Refused("the instructor's version has no examples for it")
    names = {**(globs or {}), **(extraglobs or {})}
    parser = doctest.DocTestParser()
    return [parser.get_doctest(known[0], names, name or "", None, 0)]


def run_examples(
    runner: doctest.DocTestRunner,
    known: Collection[Examples],
    test: doctest.DocTest,
    *arguments: Any,
    **options: Any,
) -> Any:
    """Run examples that stand in the instructor's version: all of a text, or none.

    Of two that were to be passed a student's docstring could hold the easier one.
    """
    own = tuple((example.source, example.want) for example in test.examples)
    if own and own not in known:
        raise Refused("examples of a student's docstring are not run here")
    return _run(runner, test, *arguments, **options)


def _examples(text: str) -> Examples:
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:  # it only looks like examples
        return ()
    return tuple((example.source, example.want) for example in found)


def _texts_in(source: str) -> list[str]:
    """The texts in a cell that may hold examples, docstrings among them."""
    return [
        node.value
        for node in ast.walk(parse(source))
        if isinstance(node, ast.Constant)
        and type(node.value) is str
        and ">>>" in node.value
    ]


def no_testmod(*_: Any, **__: Any) -> NoReturn:
    """It would look through a module in which there are no functions of students."""
    raise TypeError(
        "doctest.testmod() finds no student functions; use DocTestFinder().find(f)"
    )
