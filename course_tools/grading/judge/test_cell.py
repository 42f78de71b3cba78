"""Run one cell of the instructor in the judge and say what came of it."""

import ast
import asyncio
import functools
import inspect
import linecache
import math
import signal
import traceback
from collections.abc import Collection, Sequence
from types import CodeType
from typing import Any

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager

from course_tools.grading.judge.judge_link import StudentLost
from course_tools.grading.limits import (
    ALARM_GRACE_SECONDS,
    HIDDEN_LINES,
    MESSAGE_CHARACTERS,
    VALUE_CHARACTERS,
)
from course_tools.grading.messages import Cell
from course_tools.grading.plan import hidden


class OutOfTime(BaseException):
    """The question's time is over; not an Exception, so that tests cannot catch it."""


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
    _alarm(seconds + ALARM_GRACE_SECONDS)
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
        _alarm(0)
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


def _alarm(seconds: float) -> None:
    def ring(*_: object) -> None:
        raise OutOfTime(
            f"the question took longer than {seconds - ALARM_GRACE_SECONDS:g} s"
        )

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)


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


def credit(outcome: Outcome, points: float) -> tuple[float, str | None]:
    """Return (score, text of the last value or None), as nbgrader would grade it.

    A number between 0 and `points` is partial credit, any other value full credit.
    """
    if outcome.error is not None:
        return 0.0, None
    if outcome.value is None:
        return points, None
    value = outcome.value
    if isinstance(value, np.generic):
        value = value.item()
    text = repr(value)[:VALUE_CHARACTERS]
    try:
        number = float(text)
    except ValueError:
        return points, text
    if math.isnan(number) or number < 0:
        return points, text
    return min(number, points), text


def what_it_said(
    outputs: Sequence[dict[str, Any]], texts: Collection[str] | None = None
) -> tuple[str, str]:
    """Return what a test printed beside part of the points: (all, for students).

    With `texts`, hidden checks have run: only these pieces of text are for students.
    """
    own = [item["text"] for item in outputs if item.get("name") == "stdout"]
    lines = [line.strip() for line in "".join(own).splitlines() if line.strip()]
    public = lines
    if texts is not None:
        public = [hidden.only_known(line, texts) for line in lines[:HIDDEN_LINES]]
    return "\n".join(dict.fromkeys(lines)), "\n".join(dict.fromkeys(public))


def explain(error: BaseException) -> str:
    """Return the message an instructor sees: type and text of what went wrong."""
    if isinstance(error, StudentLost):
        return f"the student's process stopped: {error.reason}"
    if isinstance(error, OutOfTime):
        return str(error)
    text = _text(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def explain_publicly(
    outcome: Outcome,
    cell: Cell,
    tainted: bool,
    texts: Collection[str],
    names: Collection[str] = (),
) -> str:
    """Return the message a student sees; see the module `hidden` for the rule.

    `texts` are the pieces of text that students have in their notebooks anyway,
    `names` those of the functions they are to write.
    """
    error, lines = outcome.error, cell.hidden
    assert error is not None, "there is nothing to explain"
    if isinstance(error, StudentLost):
        return "your code stopped answering: " + error.reason.partition(":")[0]
    if isinstance(error, OutOfTime):
        return "the time for this question was over"
    if not tainted and not hidden.reached(cell.source, lines, outcome.outer):
        return explain(error)
    where = "a hidden check" if outcome.outer in lines else "a check"
    if getattr(error, "student_traceback", None) is not None:
        return f"in {where} your code raised {hidden.kind_of_error(error)}"
    if isinstance(error, NameError) and error.name in names:
        return f"{where} failed: name '{error.name}' is not defined"
    if outcome.raised_at is None:
        return f"{where} failed"
    words = hidden.fixed_message(*outcome.raised_at, _text(error), texts)
    return f"{where} failed: {words}" if words else f"{where} failed"


def _text(error: BaseException) -> str:
    try:
        return str(error)[:MESSAGE_CHARACTERS]
    except Exception:
        return ""
