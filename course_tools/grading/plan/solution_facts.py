"""What the instructor's own notebook says about the names students are to write.

The judge asks three things of it. Which names belong to the student even if a locked
cell defines them too? Which operators do the classes of the solution define (only
those are passed on to student objects)? Which attribute names do they have?
"""

import ast
import functools
from dataclasses import asdict, dataclass, field

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


@dataclass
class Knowledge:
    """Facts read from the instructor's version of one notebook."""

    names: list = field(default_factory=list)
    functions: list = field(default_factory=list)
    operators: dict = field(default_factory=dict)
    members: list = field(default_factory=list)
    defines: dict = field(default_factory=dict)
    changes: dict = field(default_factory=dict)
    imports: list = field(default_factory=list)

    @functools.cached_property
    def as_dict(self):
        return asdict(self)

    def allows(self, class_name, operator):
        """May `operator` be passed on to a student object of this class?"""
        return operator in self.operators.get(class_name, ())


@functools.lru_cache(512)  # locked cells and tests are the same for a whole class
def parse(source):
    """Return the syntax tree of a cell; magics and errors give an empty one."""
    lines = [
        "" if line.lstrip().startswith(("%", "!")) else line
        for line in source.split("\n")
    ]
    try:
        return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


@functools.lru_cache(512)
def defined_names(tree):
    """Return the names a cell binds at its top level (also inside if, for, with)."""
    names = set()
    stack = list(tree.body)
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
def changed_names(tree):
    """Return names whose values a cell may change: x.sort(), x["a"] = 1, x.a = 1."""
    names = set()
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
def used_names(tree):
    """Return the names a cell reads anywhere."""
    nodes = ast.walk(tree)
    return frozenset(
        node.id for node in nodes if isinstance(node, ast.Name) and not _stored(node)
    )


def _imports(tree):
    """Return the import statements of a cell; the judge carries them out itself."""
    found = [
        node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return [ast.unparse(node) for node in found]


def imported_names(tree):
    """Return the names that a cell's imports bind: modules are never the student's."""
    return defined_names(ast.Module(body=_import_nodes(tree), type_ignores=[]))


def _import_nodes(tree):
    nodes = ast.walk(tree)
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def _stored(node):
    return isinstance(node.ctx, ast.Store)


def learn(solution_cells, plain_cells):
    """Read the facts from {grade_id: source} of solution cells and plain sources."""
    known = Knowledge()
    names, functions, members = set(), set(), set()
    for grade_id, source in solution_cells:
        tree = parse(source)
        defined = defined_names(tree) - imported_names(tree)
        known.imports += _imports(tree)
        known.changes[grade_id] = sorted(changed_names(tree) - defined)
        names |= defined
        functions |= {node.name for node in tree.body if isinstance(node, DEFINITIONS)}
        known.defines[grade_id] = sorted(set(known.defines.get(grade_id, ())) | defined)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                _learn_class(node, known, members)
    for source in plain_cells:
        known.imports += _imports(parse(source))
    known.imports = list(dict.fromkeys(known.imports))
    known.names, known.members = sorted(names), sorted(members)
    known.functions = sorted(functions)
    return known


def _learn_class(node, known, members):
    operators = set(known.operators.get(node.name, ()))
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
    if any("dataclass" in ast.unparse(deco) for deco in node.decorator_list):
        operators |= {"__eq__", "__ne__", "__repr__"}
        if any("frozen=True" in ast.unparse(deco) for deco in node.decorator_list):
            operators.add("__hash__")
        if any("order=True" in ast.unparse(deco) for deco in node.decorator_list):
            operators |= {"__lt__", "__le__", "__gt__", "__ge__"}
    if "__eq__" in operators:
        operators.add("__ne__")
    if "__lt__" in operators:
        operators.add("__gt__")
    known.operators[node.name] = sorted(operators)
