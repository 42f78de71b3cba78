"""Hidden regions of test cells: where they are, and what students have without them.

What may be said about a hidden check that failed is in judge/hidden_failure.py.
"""

import ast
import contextlib
import functools
from collections.abc import Collection

from traitlets.config import Config

Marks = tuple[str, str]  # the texts that begin and end a hidden region

MARKS = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")  # unless the course has others


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
