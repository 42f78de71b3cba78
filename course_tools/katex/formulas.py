"""Formulas, set by KaTeX while a page is made: no script for a reader's browser.

KaTeX is JavaScript; QuickJS, a small engine inside a Python wheel of 8 MB, runs it. (V8
would take 82 MB for the two seconds that it saves.)  KaTeX writes the formula twice, as
positioned letters for the eye and as MathML for screen readers.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import quickjs

from course_tools.katex import source_of

# KaTeX 0.19.1 as its authors publish it on npm, without fonts of older formats
FILES = Path(__file__).parent / "files"
# `trust` off: a formula makes no link and loads nothing; the bounds keep a hostile one
# small and finite.
SET = r"""
function set(tex, display) {
    try {
        return JSON.stringify([true, katex.renderToString(tex, {
            displayMode: display, trust: false, strict: "ignore",
            maxSize: 50, maxExpand: 1000, throwOnError: true,
        })]);
    } catch (error) {
        return JSON.stringify([false, String(error)]);
    }
}
"""
MOST_LETTERS = 20_000  # of one formula


class FormulaError(ValueError):
    """A formula that KaTeX does not understand."""


class Typesetter:
    """KaTeX in an engine of its own."""

    def __init__(self) -> None:
        self.engine: Any = quickjs.Context()
        self.engine.eval((FILES / "katex.min.js").read_text(encoding="utf-8"))
        self.engine.eval(SET)
        self._set = self.engine.get("set")

    def confine(self, seconds: float, memory: int, stack: int) -> None:
        """Bounds for each formula from now on: time of the processor, and bytes."""
        self.engine.set_time_limit(seconds)
        self.engine.set_memory_limit(memory)
        self.engine.set_max_stack_size(stack)

    def set(self, tex: str, display: bool = False) -> str:
        """The formula as HTML; raises FormulaError with KaTeX's words."""
        fine, text = json.loads(self._set(tex, display))
        if not fine:
            raise FormulaError(text)
        return text


@cache
def _typesetter() -> Typesetter:
    return Typesetter()


@cache
def set_formula(tex: str, display: bool = False) -> str:
    """The formula as HTML; raises FormulaError with KaTeX's words."""
    if len(tex) > MOST_LETTERS:
        raise FormulaError(f"a formula of {len(tex)} letters is too long")
    return _typesetter().set(tex, display)


def formula_or_source(tex: str, display: bool = False) -> str:
    """The formula as HTML or, where it cannot be set, its source."""
    try:
        return set_formula(tex, display)
    except (FormulaError, quickjs.JSException):
        return source_of(tex, display)
