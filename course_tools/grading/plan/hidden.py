"""Hidden regions of test cells, and what may be said about them to students.

Student code sees the inputs of hidden checks while they run. Anything it produces
from then on (printed text, messages of its exceptions, values that a message
quotes) could carry those inputs out. So the words for students are either from
before the first hidden check, or taken from the instructor's text alone.
"""

import ast
import contextlib
import functools
import itertools
import re
from collections.abc import Collection, Sequence

from traitlets.config import Config

from course_tools.grading.limits import HIDDEN_TEXTS

Marks = tuple[str, str]  # the texts that begin and end a hidden region

MARKS = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")  # unless the course has others

HOLE = "\0"
COMMON_ERRORS = ("NotImplementedError", "TypeError", "ValueError", "NameError")
COMMON_ERRORS += ("AttributeError", "IndexError", "KeyError", "ZeroDivisionError")
COMMON_ERRORS += ("AssertionError", "RecursionError", "RuntimeError")


def marks_of(config: Config) -> Marks:
    """Return the marks that a course has configured for nbgrader."""
    from nbgrader.preprocessors import ClearHiddenTests

    settings = ClearHiddenTests(config=config)
    return settings.begin_test_delimeter, settings.end_test_delimeter


@functools.lru_cache(512)  # tests are the same for a whole class
def hidden_lines(source: str, marks: Marks = MARKS) -> frozenset[int]:
    """Return the set of line numbers (from 1) inside hidden regions, marks included."""
    (begin, end), lines, inside = marks, set(), False
    for number, line in enumerate(source.split("\n"), start=1):
        if begin in line:
            inside = True
        if inside:
            lines.add(number)
        if end in line:
            inside = False
    return frozenset(lines)


@functools.lru_cache(512)
def without_hidden(source: str, marks: Marks = MARKS) -> str:
    """Return the source as students got it."""
    hide = hidden_lines(source, marks)
    lines = enumerate(source.split("\n"), start=1)
    return "\n".join(line for number, line in lines if number not in hide)


def reached(source: str, lines: Collection[int], outer: int | None) -> bool:
    """Can hidden checks have run when the statement at line `outer` failed?

    A statement counts to its end: a loop around a hidden check comes back to its
    first lines.
    """
    if not lines or outer is None:
        return bool(lines)
    end = outer
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        for node in ast.parse(source).body:
            last = node.end_lineno or node.lineno
            if node.lineno <= outer <= last:
                end = last
    return end >= min(lines)


def kind_of_error(error: BaseException) -> str:
    """Return the name of a common class; a rare one could be a signal."""
    known = (name.__name__ for name in type(error).__mro__)
    name = next((name for name in known if name in COMMON_ERRORS), None)
    if name == "NotImplementedError":
        return f"{name}: not answered yet"
    return name or "an error"


def fixed_message(source: str, line: int, message: str, texts: Collection[str]) -> str:
    """Return the fixed words of the assert (or raise) statement at `line`.

    Parts that are computed become "…", but for those that are, word for word, among
    the pieces of text that students have anyway.
    """
    parts = _message_parts(source, line)
    values = _put_in(parts, message)
    shown = [text if text.strip() in texts else "…" for text in values]
    if len([text for text in shown if text != "…"]) > HIDDEN_TEXTS:
        shown = ["…"] * len(shown)
    pairs = itertools.zip_longest(parts, shown, fillvalue="")
    words = "".join(itertools.chain.from_iterable(pairs))
    return words if words.strip(" …") else ""


def _put_in(parts: Sequence[str], message: str) -> list[str]:
    """Return what stands in the message between the fixed parts."""
    first, *others = parts or [""]
    if not message.startswith(first):
        return ["…"] * len(others)
    values, place = [], len(first)
    for position, part in enumerate(others):
        last = position == len(others) - 1
        end = len(message) - len(part) if last else message.find(part, place)
        if end < place or not message.startswith(part, end):
            return ["…"] * len(others)
        values.append(message[place:end])
        place = end + len(part)
    return values


def _message_parts(source: str, line: int) -> list[str]:
    """Return the pieces of a message between which values are put in."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    best: ast.Assert | ast.Raise | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert | ast.Raise) and (
            node.lineno <= line <= (node.end_lineno or node.lineno)
        ):
            best = node
    words = best.msg if isinstance(best, ast.Assert) else None
    if isinstance(best, ast.Raise) and isinstance(best.exc, ast.Call):
        words = best.exc.args[0] if best.exc.args else None
    return _between(words).split(HOLE)


@functools.lru_cache(64)  # the same for every submission of a class
def visible_texts(sources: tuple[str, ...], marks: Marks = MARKS) -> tuple[str, ...]:
    """Return the pieces of text that students have in their own copy of the notebook.

    `sources` is a tuple of instructor's cells; what stands in hidden regions is left
    out. Short pieces are left out too: with them one could spell.
    """
    texts: set[str] = set()
    for source in sources:
        try:
            tree = ast.parse(without_hidden(source, marks))
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value.strip())
    long = sorted(text for text in texts if len(text) >= 4)
    return tuple(sorted(long, key=len, reverse=True))


def only_known(message: str, texts: Collection[str]) -> str:
    """Return the longest of `texts` that stands in the message, or nothing.

    Only one: with several, in any order, student code could spell.
    """
    known = next((text for text in texts if text in message), None)
    if known is None:
        return ""
    before, _, after = message.partition(known)
    return f"{'… ' * bool(before)}{known}{' …' * bool(after)}"


def _between(node: ast.AST | None) -> str:
    """Return the words of a message, with HOLE where something is computed."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_between(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _between(node.left) + _between(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return re.sub(r"%[-+ #0-9.*]*[a-zA-Z]", HOLE, _between(node.left))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        words = _between(node.func.value) if node.func.attr == "format" else HOLE
        return re.sub(r"\{[^{}]*\}", HOLE, words)
    return HOLE
