"""The message for a student whose answer fails a hidden check.

Student code sees the inputs of hidden checks while they run. Anything it produces
from then on (printed text, messages of its exceptions, values that a message
quotes) could carry those inputs out. So the words for students are either from
before the first hidden check, or taken from the instructor's text alone.
"""

import ast
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from course_tools.grading.judge.test_cell import Outcome
from course_tools.grading.limits import HIDDEN_TEXTS

HOLE = "\0"
COMMON_ERRORS = ("NotImplementedError", "TypeError", "ValueError", "NameError")
COMMON_ERRORS += ("AttributeError", "IndexError", "KeyError", "ZeroDivisionError")
COMMON_ERRORS += ("AssertionError", "RecursionError", "RuntimeError")


def message(
    outcome: Outcome,
    where: str,
    text: str,
    texts: Collection[str],
    names: Collection[str],
) -> str:
    """Return what is said when `where` ("a hidden check") failed with this `text`.

    `texts` are the pieces of text that students have in their notebooks anyway,
    `names` those of the functions they are to write.
    """
    error = outcome.error
    assert error is not None, "there is nothing to explain"
    if getattr(error, "student_traceback", None) is not None:
        return f"in {where} your code raised {kind_of_error(error)}"
    if isinstance(error, NameError) and error.name in names:
        return f"{where} failed: name '{error.name}' is not defined"
    if outcome.raised_at is None:
        return f"{where} failed"
    words = fixed_message(*outcome.raised_at, text, texts)
    return f"{where} failed: {words}" if words else f"{where} failed"


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
    return _between(words, _words_by_name(tree)).split(HOLE)


def _words_by_name(tree: ast.AST) -> dict[str, ast.AST]:
    """Return the texts that a cell gives names to: `hint = "..."`.

    Such a name is assigned once and stands in messages only, or in other such texts.
    What a check also computes with, an input perhaps, is none.
    """
    texts: dict[str, ast.AST] = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant | ast.JoinedStr | ast.BinOp)
    }
    uses = Counter(_names(tree))
    while True:
        spoken = [node.msg for node in ast.walk(tree) if isinstance(node, ast.Assert)]
        within = Counter(
            name for node in (*spoken, *texts.values()) if node for name in _names(node)
        )
        # once more than it is said: where it is assigned
        kept = {name: v for name, v in texts.items() if uses[name] == within[name] + 1}
        if len(kept) == len(texts):
            return kept
        texts = kept


def _names(tree: ast.AST) -> Iterator[str]:
    """Every place where a name stands, of an argument too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def only_known(message: str, texts: Collection[str]) -> str:
    """Return the longest of `texts` that stands in the message, or nothing.

    Only one: with several, in any order, student code could spell.
    """
    known = next((text for text in texts if text in message), None)
    if known is None:
        return ""
    before, _, after = message.partition(known)
    return f"{'… ' * bool(before)}{known}{' …' * bool(after)}"


def _between(node: ast.AST | None, names: Mapping[str, ast.AST]) -> str:
    """Return the words of a message, with HOLE where something is computed.

    `names` are those of texts.
    """
    if isinstance(node, ast.Name) and node.id in names:
        others = {name: value for name, value in names.items() if name != node.id}
        return _between(names[node.id], others)
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name):
        plain = node.format_spec is None and node.conversion == -1
        return _between(node.value, names) if plain else HOLE
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_between(part, names) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _between(node.left, names) + _between(node.right, names)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return re.sub(r"%[-+ #0-9.*]*[a-zA-Z]", HOLE, _between(node.left, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        format_ = node.func.attr == "format"
        words = _between(node.func.value, names) if format_ else HOLE
        return re.sub(r"\{[^{}]*\}", HOLE, words)
    return HOLE
