"""Text cells and comments of a feedback page: markdown with its formulas set.

A formula is an empty element with a name that nobody can guess while the text is
cleaned; only then its HTML takes this place. Inside an attribute the quotation marks of
such an element are written in another way, so that nothing is put there.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course_tools.grading.limits import (
    KEPT_CHARACTERS,
    MARKUP_CHARACTERS,
    SHARED_PIECES,
)
from course_tools.grading.pages.formulas import Formulas
from course_tools.grading.pages.html import as_text, clean_rendered, is_storm

MARKUP = re.compile(r"[\[\]!*_`<>(|$\\&~]")
WORDLESS = re.compile(r"<th([^>]*)>\s*</th>")
LATEX = re.compile(r"\s*(?:\$\$(.+)\$\$|\$(.+)\$|\\\[(.+)\\\])\s*", re.S)
PICTURE = "A picture that this cell shows."  # where nobody has described it
BELOW = 1  # the page has a heading above those of the notebook
DEEPEST = 6


class PageRenderer(IPythonRenderer):
    """nbconvert's renderer; formulas become places, headings stand below the page's."""

    def __init__(self, places: "Places") -> None:
        super().__init__(escape=False, exclude_anchor_links=True)
        self.places = places

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        level = min(level + BELOW, DEEPEST)
        return f"<h{level}>{text}</h{level}>\n"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return super().image(text or PICTURE, url, title)

    def inline_math(self, body: str) -> str:
        return self.places.add(body, False)

    def block_math(self, body: str) -> str:
        return self.places.add(body, True)

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(rf"\begin{{{name}}}{body}\end{{{name}}}")


class Places:
    """Where formulas will stand in one text."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(8)
        self.formulas: list[tuple[str, bool]] = []
        self.pattern = re.compile(rf'<span id="{self.secret}-(\d+)"></span>')

    def add(self, tex: str, display: bool) -> str:
        self.formulas.append((tex, display))
        return f'<span id="{self.secret}-{len(self.formulas) - 1}"></span>'

    def fill(self, text: str, setter: Formulas) -> str:
        return self.pattern.sub(lambda m: setter.set(*self.formulas[int(m[1])]), text)


class Texts:
    """Turns markdown into HTML; what many pages share is made once."""

    def __init__(self) -> None:
        self.setter = Formulas()
        self.kept: dict[tuple[str, bool], str] = {}
        self.renderer = PageRenderer(Places())
        self.markdown = MarkdownWithMath(renderer=self.renderer)

    def html(
        self,
        source: str,
        attachments: Mapping[str, Any] | None = None,
        trusted: bool = False,
    ) -> str:
        """A text as HTML. What an instructor wrote (`trusted`) is shown as it is."""
        key = source, trusted
        if not attachments and key in self.kept:
            made = self.kept[key]
            self.setter.room -= len(made)
            return made if self.setter.room >= 0 else as_text(source)
        made = self._new(source, attachments or {}, trusted)
        if len(self.kept) >= SHARED_PIECES:
            self.kept.clear()
        spent = self.setter.seconds <= 0 or self.setter.room <= 0
        if not attachments and not spent and len(made) <= KEPT_CHARACTERS:
            self.kept[key] = made
        return made

    def latex(self, source: str) -> str:
        """What a cell shows as LaTeX: one formula, or text."""
        found = LATEX.fullmatch(source)
        if not found:
            return as_text(source)
        tex = next(group for group in found.groups() if group is not None)
        return self.setter.set(tex, found[2] is None)

    def _new(self, source: str, attachments: Mapping[str, Any], trusted: bool) -> str:
        """What cannot be read as markdown (a picture is missing, …) stays a text."""
        if len(MARKUP.findall(source)) > MARKUP_CHARACTERS:
            return as_text(source)
        places = self.renderer.places = Places()
        self.renderer.attachments = dict(attachments)
        try:
            made = self.markdown.render(source)
        except Exception:
            return as_text(source)
        if not trusted:
            if is_storm(made):
                return as_text(source)
            made = clean_rendered(made)
        made = WORDLESS.sub(r"<td\1></td>", made)
        # a wide table scrolls in its own box, also by keyboard
        if made.count("<table>") == made.count("</table>"):
            made = made.replace("<table>", '<div class="scroll" tabindex="0"><table>')
            made = made.replace("</table>", "</table></div>")
        return places.fill(made, self.setter)
