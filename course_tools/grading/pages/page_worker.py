"""Feedback notebooks as HTML pages, with nbgrader's template, quickly.

nbconvert spends most of its time on work that is the same for every submission of a
class (style sheets, markdown of the questions, a second parse of the finished page).
Here each of these is done once.

Run as a program, this module makes pages for the process that started it (see
`page_client`): a request is a line of JSON, the answer a line of JSON and the page.
"""

import functools
import json
import os
import re
import resource
import signal
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO

import nbgrader
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters import Highlight2HTML, ansi2html, strip_ansi
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from traitlets.config import Config

from course_tools.grading.limits import (
    CODE_CHARACTERS,
    COPIED_CHARACTERS,
    MARKUP_CHARACTERS,
    PAGE_ERROR_CHARACTERS,
    PAGE_MEMORY,
    SHARED_PIECES,
)
from course_tools.grading.pages.html import as_text, clean_html, clean_rendered
from course_tools.grading.pages.student_version import student_version
from course_tools.grading.sandbox import linux

FORMGRADER = os.path.join(
    os.path.dirname(nbgrader.__file__), "server_extensions", "formgrader"
)
MARKUP = re.compile(r"[\[\]!*_`<>(|$\\&~]")
NAMELESS = re.compile(
    r'(<a href="#([^"]+)">)(?:Test cell|Written response|Coding free-response|Task)</a>'
)
STYLE = """
.output_error { border: 1px solid #d2413a; border-left-width: 6px;
  background: #fdf1f0; padding: 0.4em 0.8em; }
.output_error pre { background: transparent; }
.code_cell:has(.output_error) .nbgrader_cell { border-color: #d2413a; }
.code_cell:has(.output_error) .nbgrader_cell > .panel-heading {
  background: #d2413a; border-color: #d2413a; }
"""


def coloured(text: str) -> str:
    """nbconvert copies the rest of the text for every change of colour."""
    if text.count("\x1b") * len(text) > COPIED_CHARACTERS:
        text = strip_ansi(text)
    return ansi2html(text)


class PageExporter(HTMLExporter):
    """nbconvert's exporter with a memory for what many pages share."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.rendered_markdown: dict[tuple[str, bool], str] = {}
        highlight = Highlight2HTML(pygments_lexer="ipython3", parent=self)
        self.highlight = functools.lru_cache(SHARED_PIECES)(highlight)
        self.register_filter("ansi2html", coloured)
        self.register_filter("clean_html", lambda text: clean_html(str(text)))
        # for links as they were written in 2012; its time grows as the square
        self.register_filter("strip_files_prefix", lambda text: text)

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        cell = context.get("cell", {})
        if "attachments" in cell:
            return self._markdown(context, source)
        rendered, key = self.rendered_markdown, (source, _is_locked(context))
        if key not in rendered:
            if len(rendered) > SHARED_PIECES:
                rendered.clear()
            rendered[key] = self._markdown(context, source)
        return rendered[key]

    def _markdown(self, context: Context, source: str) -> str:
        """What cannot be read as markdown (a picture is missing, ...) stays a text.

        What an instructor wrote is shown as it is; anything else is cleaned.
        """
        if len(MARKUP.findall(source)) > MARKUP_CHARACTERS:
            return as_text(source)
        try:
            rendered = super().markdown2html(context, source)
        except Exception:
            return as_text(source)
        return rendered if _is_locked(context) else clean_rendered(rendered)

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[str, dict[str, Any]]:
        resources = self._init_resources(resources)
        types = WidgetsDataTypeFilter(
            notebook_metadata=self._nb_metadata, parent=self, resources=resources
        )
        self.register_filter("highlight_code", self.highlight_code)
        self.register_filter("filter_data_type", types)
        return TemplateExporter.from_notebook_node(self, nb, resources, **options)

    def highlight_code(
        self,
        source: str,
        language: str | None = None,
        metadata: NotebookNode | None = None,
        **_: Any,
    ) -> str:
        if len(source) > CODE_CHARACTERS:
            return f'<div class="highlight">{as_text(source)}</div>'
        return self.highlight(source)


def _is_locked(context: Context) -> bool:
    """Is this the text of a cell that only the instructor can write?"""
    cell = context.get("cell", {})
    nbgrader = cell.get("metadata", {}).get("nbgrader", {})
    return cell.get("cell_type") == "markdown" and bool(nbgrader.get("locked"))


class Renderer:
    """Turns the student's version of a notebook into a page."""

    def __init__(self) -> None:
        bootstrap = os.path.join(
            FORMGRADER, "static", "node_modules", "bootstrap", "dist", "css"
        )
        config = Config()
        config.HTMLExporter.template_name = "feedback"
        config.HTMLExporter.extra_template_basedirs = [
            os.path.join(FORMGRADER, "templates")
        ]
        config.HTMLExporter.extra_template_paths = [bootstrap]
        config.HTMLExporter.sanitize_html = True
        config.Exporter.default_preprocessors = []
        self.exporter = PageExporter(config=config)
        styles = self.exporter._preprocessors.pop()  # it would work for every page
        _, resources = styles.preprocess(new_notebook(), {"config_dir": ""})
        self.inlining = resources["inlining"]
        self.inlining["css"].append(STYLE)

    def render(self, notebook: NotebookNode, resources: dict[str, Any]) -> str:
        """Return the page; `resources` are those of nbgrader's template."""
        all_resources = {"nbgrader": resources, "inlining": self.inlining}
        text, _ = self.exporter.from_notebook_node(notebook, resources=all_resources)
        return NAMELESS.sub(r"\1\2</a>", text)  # the list at the top names questions


def make_page(renderer: Renderer, request: dict[str, Any]) -> bytes:
    """Return the page that was asked for."""
    notebook = student_version(request["path"], request["scores"], request["marks"])
    return renderer.render(notebook, request["resources"]).encode("utf-8", "replace")


def serve(requests: Iterable[bytes], answers: BinaryIO) -> None:
    """Make pages until nobody asks any more."""
    renderer = Renderer()
    _answer(answers, {"ready": True})
    for line in requests:
        try:
            page = make_page(renderer, json.loads(line))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"[:PAGE_ERROR_CHARACTERS]
            _answer(answers, {"error": reason})
        else:
            _answer(answers, {"size": len(page)}, page)


def _answer(answers: BinaryIO, fields: dict[str, Any], data: bytes = b"") -> None:
    answers.write(json.dumps(fields).encode() + b"\n" + data)
    answers.flush()


def main() -> None:
    """End with the process that asked, however that ends; leave Ctrl-C to it."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (PAGE_MEMORY, PAGE_MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
