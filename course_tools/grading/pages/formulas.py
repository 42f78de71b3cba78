"""Formulas on feedback pages, also those that students write to do harm.

KaTeX sets them with `trust` off, each within bounds of length, time, memory and size,
a page within a budget. What it makes is cleaned like all other HTML, by a list of its
own tags. A formula that fails in any way is shown as it was written.
"""

import re
import time
from typing import TYPE_CHECKING

import nh3

from course_tools.grading.limits import (
    FORMULA_CHARACTERS,
    FORMULA_MEMORY,
    FORMULA_SECONDS,
    FORMULA_STACK,
    FORMULAS_BYTES,
    FORMULAS_SECONDS,
    KEPT_CHARACTERS,
    SHARED_PIECES,
)
from course_tools.grading.pages.html import is_storm
from course_tools.katex import source_of

if TYPE_CHECKING:
    from course_tools.katex import formulas as katex
else:
    try:
        from course_tools.katex import formulas as katex
    except ImportError:  # without QuickJS a page shows the sources of its formulas
        katex = None

_MATHML = (
    "math semantics mrow mi mo mn mtext mspace mstyle msub msup msubsup mfrac msqrt "
    "mroot mover munder munderover mtable mtr mtd mlabeledtr menclose mpadded mphantom"
)
_MATHML_ATTRIBUTES = (
    "xmlns display mathvariant stretchy separator fence minsize maxsize scriptlevel "
    "displaystyle width height depth lspace rspace accent accentunder rowspacing "
    "columnalign columnspacing columnlines rowlines linethickness mathcolor "
    "mathbackground notation voffset side movablelimits symmetric"
)
_STYLES = (
    "height width min-width top bottom left vertical-align margin margin-left "
    "margin-right margin-top padding-left padding-right color background-color "
    "border-style border-width border-color border-bottom-width border-top-width "
    "border-right-width border-right-style position"
)
CLEANER = nh3.Cleaner(
    tags={"span", "svg", "path", "line", *_MATHML.split()},
    clean_content_tags={"script", "style"},
    attributes={
        "*": {"class", "style"},
        "span": {"aria-hidden"},
        "svg": {"xmlns", "width", "height", "viewBox", "preserveAspectRatio"},
        "path": {"d"},
        "line": {"x1", "x2", "y1", "y2", "stroke-width"},
        **{tag: set(_MATHML_ATTRIBUTES.split()) for tag in _MATHML.split()},
    },
    filter_style_properties=set(_STYLES.split()),
    url_schemes=set(),
    link_rel=None,
)
# the source once more, for those who copy a formula
ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.S)
FIXED = re.compile(r"position:\s*(?!relative\b)", re.I)


DISPLAYED = '<span class="katex-display">'


class Formulas:
    """Sets formulas for one page after the other."""

    def __init__(self) -> None:
        self.typesetter: katex.Typesetter | None = None
        self.kept: dict[tuple[str, bool], str] = {}
        self.begin_page()

    def begin_page(self) -> None:
        """A new page has all its time and room."""
        self.seconds, self.room = FORMULAS_SECONDS, FORMULAS_BYTES

    def set(self, tex: str, display: bool = False) -> str:
        """The formula as HTML or, where that fails, its source."""
        source = source_of(tex, display)
        if katex is None or len(tex) > FORMULA_CHARACTERS:
            return source
        markup = self.kept.get((tex, display))
        if markup is None:
            if self.seconds <= 0:
                return source
            markup = self._timed(tex, display) or source
            if len(self.kept) >= SHARED_PIECES:
                self.kept.clear()
            if len(markup) <= KEPT_CHARACTERS:
                self.kept[tex, display] = markup
        self.room -= len(markup)
        return markup if self.room >= 0 else source

    def _timed(self, tex: str, display: bool) -> str | None:
        begun = time.process_time()
        try:
            return self._new(tex, display)
        finally:
            self.seconds -= time.process_time() - begun

    def _new(self, tex: str, display: bool) -> str | None:
        if self.typesetter is None:
            self.typesetter = katex.Typesetter()
            self.typesetter.confine(FORMULA_SECONDS, FORMULA_MEMORY, FORMULA_STACK)
        try:
            made = self.typesetter.set(tex, display)
        except katex.FormulaError:
            return None
        except Exception:  # out of time or memory: who knows what is left of it
            self.typesetter = None
            return None
        made = ANNOTATION.sub("", made)
        if is_storm(made) or FIXED.search(made):
            return None
        # a wide one scrolls in its own box, also by keyboard
        return CLEANER.clean(made).replace(DISPLAYED, f'{DISPLAYED[:-1]} tabindex="0">')
