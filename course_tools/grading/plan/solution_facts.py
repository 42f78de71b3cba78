"""What the instructor's own notebook says about the names students are to write.

The judge asks three things of it. Which names belong to the student even if a locked
cell defines them too? Which operators do the classes of the solution define (only
those are passed on to student objects)? Which attribute names do they have?
"""

import ast
import contextlib
import functools
from collections.abc import Iterable

from course_tools.grading.messages import SolutionFacts

ALIASES = {
    "np": "numpy",
    "plt": "matplotlib.pyplot",
    "mpl": "matplotlib",
    "pd": "pandas",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "optim": "torch.optim",
    "sp": "scipy",
    "sns": "seaborn",
    "la": "numpy.linalg",
}

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@functools.lru_cache(512)  # locked cells and tests are the same for a whole class
def parse(source: str) -> ast.Module:
    """Return the syntax tree of a cell; magics and errors give an empty one."""
    lines = [
        "" if line.lstrip().startswith(("%", "!")) else line
        for line in source.split("\n")
    ]
    for text in (lambda: "\n".join(lines), lambda: _without_magics(source)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.parse(text())
    return ast.Module(body=[], type_ignores=[])


def _without_magics(source: str) -> str:
    """Return the plain Python of a cell with `x = !ls` or `t = %time f()` in it."""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


@functools.lru_cache(512)
def defined_names(tree: ast.Module) -> frozenset[str]:
    """Return the names a cell binds at its top level (also inside if, for, with)."""
    names: set[str] = set()
    stack: list[ast.AST] = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(a.asname or a.name).partition(".")[0] for a in node.names}
        elif isinstance(node, ast.Lambda | ast.comprehension):
            continue
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        else:
            stack.extend(ast.iter_child_nodes(node))
    return frozenset(names)


@functools.lru_cache(512)
def changed_names(tree: ast.Module) -> frozenset[str]:
    """Return names whose values a cell may change: x.sort(), x["a"] = 1, x.a = 1."""
    names: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, DEFINITIONS):
            continue
        for node in ast.walk(statement):
            inside = None
            if isinstance(node, ast.Subscript | ast.Attribute):
                inside = None if isinstance(node.ctx, ast.Load) else node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                alone = isinstance(statement, ast.Expr) and statement.value is node
                inside = node.func.value if alone else None
            while isinstance(inside, ast.Subscript | ast.Attribute):
                inside = inside.value
            if isinstance(inside, ast.Name):
                names.add(inside.id)
    return frozenset(names)


@functools.lru_cache(512)
def used_names(tree: ast.Module) -> frozenset[str]:
    """Return the names a cell reads anywhere."""
    nodes = ast.walk(tree)
    return frozenset(
        node.id for node in nodes if isinstance(node, ast.Name) and not _stored(node)
    )


def _imports(tree: ast.Module) -> list[str]:
    """Return the import statements of a cell; the judge carries them out itself."""
    kinds = ast.Import | ast.ImportFrom
    return [ast.unparse(node) for node in tree.body if isinstance(node, kinds)]


def imported_names(tree: ast.Module) -> frozenset[str]:
    """Return the names that a cell's imports bind: modules are never the student's."""
    return defined_names(ast.Module(body=_import_nodes(tree), type_ignores=[]))


def _import_nodes(tree: ast.Module) -> list[ast.stmt]:
    nodes = ast.walk(tree)
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def _stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def learn(
    solution_cells: Iterable[tuple[str, str]], plain_cells: Iterable[str]
) -> SolutionFacts:
    """Read the facts from (grade id, source) of solution cells and plain sources."""
    facts = _Facts()
    for grade_id, source in solution_cells:
        facts.add_solution(grade_id, parse(source))
    for source in plain_cells:
        facts.imports += _imports(parse(source))
    return facts.freeze()


class _Facts:
    """The facts while they are being read."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.functions: set[str] = set()
        self.members: set[str] = set()
        self.imports: list[str] = []
        self.operators: dict[str, set[str]] = {}
        self.defines: dict[str, set[str]] = {}
        self.changes: dict[str, set[str]] = {}
        self.docs: dict[str, str] = {}

    def add_solution(self, grade_id: str, tree: ast.Module) -> None:
        own = defined_names(tree) - imported_names(tree)
        self.names |= own
        self.functions |= {n.name for n in tree.body if isinstance(n, DEFINITIONS)}
        self.imports += _imports(tree)
        self.defines.setdefault(grade_id, set()).update(own)
        self.changes[grade_id] = set(changed_names(tree) - own)
        for node in ast.walk(tree):
            if isinstance(node, DEFINITIONS) and (text := ast.get_docstring(node)):
                self.docs[node.name] = text
            if isinstance(node, ast.ClassDef):
                inside = self.operators.setdefault(node.name, set())
                _learn_class(node, inside, self.members)

    def freeze(self) -> SolutionFacts:
        return SolutionFacts(
            names=tuple(sorted(self.names)),
            functions=tuple(sorted(self.functions)),
            operators=_sorted_values(self.operators),
            members=tuple(sorted(self.members)),
            defines=_sorted_values(self.defines),
            changes=_sorted_values(self.changes),
            imports=tuple(dict.fromkeys(self.imports)),
            docs=self.docs,
        )


def _sorted_values(sets: dict[str, set[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(values)) for name, values in sets.items()}


def _learn_class(node: ast.ClassDef, operators: set[str], members: set[str]) -> None:
    """Add what a class defines; `operators` are those that may be passed on."""
    for item in ast.walk(node):
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            operators.add(item.name)
            members.add(item.name)
        elif isinstance(item, ast.Attribute):
            members.add(item.attr)
        elif isinstance(item, ast.Name) and _stored(item):
            members.add(item.id)
            operators.add(item.id)  # __rmul__ = __mul__
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            members.add(item.target.id)
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if any("dataclass" in text for text in decorators):
        operators |= {"__eq__", "__ne__", "__repr__"}
        if any("frozen=True" in text for text in decorators):
            operators.add("__hash__")
        if any("order=True" in text for text in decorators):
            operators |= {"__lt__", "__le__", "__gt__", "__ge__"}
    if "__eq__" in operators:
        operators.add("__ne__")
    if "__lt__" in operators:
        operators.add("__gt__")
