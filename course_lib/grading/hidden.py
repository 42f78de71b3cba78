"""Hidden regions of test cells, and what may be said about them to students.

Student code sees the inputs of hidden checks while they run. Anything it produces
from then on (printed text, messages of its exceptions, values that a message
quotes) could carry those inputs out. So the words for students are either from
before the first hidden check, or taken from the instructor's text alone.
"""

import ast
import functools
import re

MARKS = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")  # unless the course has others


def marks_of(config):
    """Return the marks that a course has configured for nbgrader."""
    from nbgrader.preprocessors import ClearHiddenTests

    settings = ClearHiddenTests(config=config)
    return settings.begin_test_delimeter, settings.end_test_delimeter


@functools.lru_cache(512)  # tests are the same for a whole class
def hidden_lines(source, marks=MARKS):
    """Return the set of line numbers (from 1) inside hidden regions, marks included."""
    (begin, end), found, inside = marks, set(), False
    for number, line in enumerate(source.split("\n"), start=1):
        if begin in line:
            inside = True
        if inside:
            found.add(number)
        if end in line:
            inside = False
    return frozenset(found)


@functools.lru_cache(512)
def without_hidden(source, marks=MARKS):
    """Return the source as students got it."""
    hide = hidden_lines(source, marks)
    lines = enumerate(source.split("\n"), start=1)
    return "\n".join(line for number, line in lines if number not in hide)


def static_message(source, line):
    """Return the fixed words of the assert (or raise) statement at `line`.

    Parts that are computed when the check fails become "…".
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    best = None
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert | ast.Raise) and (
            node.lineno <= line <= (node.end_lineno or node.lineno)
        ):
            best = node
    if isinstance(best, ast.Assert):
        return _fixed_words(best.msg)
    if isinstance(best, ast.Raise) and isinstance(best.exc, ast.Call):
        return _fixed_words(best.exc.args[0]) if best.exc.args else ""
    return ""


@functools.lru_cache(64)  # the same for every submission of a class
def visible_texts(sources, marks=MARKS):
    """Return the pieces of text that students have in their own copy of the notebook.

    `sources` is a tuple of instructor's cells; what stands in hidden regions is left
    out. Short pieces are left out too: with them one could spell.
    """
    found = set()
    for source in sources:
        try:
            tree = ast.parse(without_hidden(source, marks))
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value.strip())
    return sorted((text for text in found if len(text) >= 4), key=len, reverse=True)


def only_known(message, texts):
    """Return the message with everything that is not one of `texts` as "…"."""
    pattern = "|".join(map(re.escape, texts))
    if not pattern:
        return ""
    pieces, end = [], 0
    for match in re.finditer(pattern, message):
        gap = message[end : match.start()]
        pieces += [gap if not gap.strip(" .,:;()") else " … ", match.group()]
        end = match.end()
    if not pieces:
        return ""
    pieces.append("" if not message[end:].strip(" .,:;()") else " …")
    return re.sub(r"\s+", " ", "".join(pieces)).strip()


def _fixed_words(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_fixed_words(part) or "…" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return (_fixed_words(node.left) or "…") + (_fixed_words(node.right) or "…")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _fixed_words(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _fixed_words(node.func.value) if node.func.attr == "format" else ""
    return ""
