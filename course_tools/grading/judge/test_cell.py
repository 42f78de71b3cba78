"""Run one cell of the instructor in the judge and say what came of it."""

import ast
import asyncio
import functools
import inspect
import linecache
import traceback
from types import CodeType
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from course_tools.grading.judge import alarm


class Outcome:
    """What running a cell gave: the error if any, the last value, where it failed."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.value: Any = None
        self.line: int | None = None  # of this cell, where the error came from
        self.outer: int | None = None  # of this cell, the statement that was run
        # (source, line) if a cell itself raised the error
        self.raised_at: tuple[str, int] | None = None


def run_cell(
    source: str, name: str, namespace: dict[str, Any], seconds: float
) -> Outcome:
    """Execute an instructor's cell; no exception leaves this function."""
    outcome = Outcome()
    filename = f"<{name}>"
    alarm.ring_after(seconds)
    try:
        text, statements, last = _compile(source, filename)
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        _execute(statements, namespace)
        if last is not None:
            outcome.value = _execute(last, namespace)
    except BaseException as error:  # a test may raise anything
        outcome.error = error
        _locate(outcome, error, filename)
    finally:
        alarm.stop()
    return outcome


class _AskForClass(ast.NodeTransformer):
    """In a test, type(x) is the class of the student's object, not of its stand-in."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if (
            isinstance(node.func, ast.Name)
            and node.func.id == "type"
            and len(node.args) == 1
            and not node.keywords
        ):
            node.func.id = "__class_of__"
        return node


@functools.lru_cache(256)  # a judge that has rehearsed has compiled all tests
def _compile(source: str, filename: str) -> tuple[str, CodeType, CodeType | None]:
    """Return (plain Python, code of the statements, code of the last value or None)."""
    text, tree = _parse(source, filename)
    tree = _AskForClass().visit(tree)
    last = _take_last_expression(tree, text)
    statements = compile_tree(tree, filename, "exec")
    value = None if last is None else compile_tree(last, filename, "eval")
    return text, statements, value


def _parse(source: str, filename: str) -> tuple[str, ast.Module]:
    """Return (plain Python, its tree); only what is not Python can hold magics."""
    try:
        return source, ast.parse(source, filename)
    except SyntaxError:
        code = TransformerManager().transform_cell(source)
        return code, ast.parse(code, filename)


def compile_tree(
    tree: ast.Module | ast.Expression, filename: str, mode: str
) -> CodeType:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    return compile(tree, filename, mode, flags=flags, dont_inherit=True)


def _execute(code: CodeType, namespace: dict[str, Any]) -> Any:
    value = eval(code, namespace)  # noqa: S307 - the instructor's own code
    if code.co_flags & inspect.CO_COROUTINE:
        return asyncio.run(value)
    return value


def _take_last_expression(tree: ast.Module, code: str) -> ast.Expression | None:
    """Cut a trailing expression off; its value may be partial credit."""
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or code.rstrip().endswith(";"):
        return None
    tree.body.pop()
    return ast.Expression(last.value)


def _locate(outcome: Outcome, error: BaseException, filename: str) -> None:
    """Find the line of the cell that failed, and whether it failed there itself."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == filename]
    if lines:
        outcome.outer, outcome.line = lines[0], lines[-1]
    elif isinstance(error, SyntaxError):
        outcome.outer = outcome.line = error.lineno
    if frames and frames[-1].filename.startswith("<"):  # a cell, maybe a locked one
        source = "".join(linecache.getlines(frames[-1].filename))
        outcome.raised_at = source, frames[-1].lineno or 0
