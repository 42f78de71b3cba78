"""Feedback notebooks as HTML pages, with nbgrader's template, quickly.

nbconvert spends most of its time on work that is the same for every submission of a
class (style sheets, markdown of the questions, a second parse of the finished page).
Here each of these is done once.

Run as a program, this module makes pages for the process that started it (see
`typesetter`): a request is a line of JSON, the answer a line of JSON and the page.
"""

import functools
import html
import json
import os
import re
import resource
import signal
import sys

import nbgrader
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters import Highlight2HTML, ansi2html, strip_ansi
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat.v4 import new_notebook
from traitlets.config import Config

from course_tools.grading.limits import (
    CODE_CHARACTERS,
    COPIED_CHARACTERS,
    MARKUP_CHARACTERS,
    PAGE_ERROR_CHARACTERS,
    PAGE_MEMORY,
)
from course_tools.grading.pages.feedback import prepare
from course_tools.grading.pages.html import harmless
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


def as_text(source):
    return f"<pre>{html.escape(source)}</pre>"


def coloured(text):
    """nbconvert copies the rest of the text for every change of colour."""
    if text.count("\x1b") * len(text) > COPIED_CHARACTERS:
        text = strip_ansi(text)
    return ansi2html(text)


class PageExporter(HTMLExporter):
    """nbconvert's exporter with a memory for what many pages share."""

    def __init__(self, **options):
        super().__init__(**options)
        self.seen = {}
        highlight = Highlight2HTML(pygments_lexer="ipython3", parent=self)
        self.highlight = functools.lru_cache(4000)(highlight)
        self.register_filter("ansi2html", coloured)
        self.register_filter("clean_html", lambda text: harmless(str(text)))
        # for links as they were written in 2012; its time grows as the square
        self.register_filter("strip_files_prefix", lambda text: text)

    @pass_context
    def markdown2html(self, context, source):
        cell = context.get("cell", {})
        if "attachments" in cell:
            return self._markdown(context, source)
        if source not in self.seen:
            if len(self.seen) > 4000:
                self.seen.clear()
            self.seen[source] = self._markdown(context, source)
        return self.seen[source]

    def _markdown(self, context, source):
        """What cannot be read as markdown (a picture is missing, ...) stays a text."""
        if len(MARKUP.findall(source)) > MARKUP_CHARACTERS:
            return as_text(source)
        try:
            return super().markdown2html(context, source)
        except Exception:
            return as_text(source)

    def from_notebook_node(self, nb, resources=None, **options):
        resources = self._init_resources(resources)
        types = WidgetsDataTypeFilter(
            notebook_metadata=self._nb_metadata, parent=self, resources=resources
        )
        self.register_filter("highlight_code", self.highlight_code)
        self.register_filter("filter_data_type", types)
        return TemplateExporter.from_notebook_node(self, nb, resources, **options)

    def highlight_code(self, source, language=None, metadata=None, **_):
        if len(source) > CODE_CHARACTERS:
            return f'<div class="highlight">{as_text(source)}</div>'
        return self.highlight(source)


class Renderer:
    """Turns the student's version of a notebook into a page."""

    def __init__(self):
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

    def render(self, notebook, resources):
        """Return the page; `resources` are those of nbgrader's template."""
        given = {"nbgrader": resources, "inlining": self.inlining}
        text, _ = self.exporter.from_notebook_node(notebook, resources=given)
        return NAMELESS.sub(r"\1\2</a>", text)  # the list at the top names questions


def make(renderer, request):
    """Return the page that was asked for, as bytes."""
    begin, end = request["marks"]
    config = Config()
    config.ClearHiddenTests.begin_test_delimeter = begin
    config.ClearHiddenTests.end_test_delimeter = end
    notebook = prepare(request["path"], request["scores"], config)
    return renderer.render(notebook, request["resources"]).encode("utf-8", "replace")


def serve(requests, answers):
    """Make pages until nobody asks any more."""
    renderer = Renderer()
    _answer(answers, {"ready": True})
    for line in requests:
        try:
            page = make(renderer, json.loads(line))
        except Exception as error:
            _answer(
                answers,
                {"error": f"{type(error).__name__}: {error}"[:PAGE_ERROR_CHARACTERS]},
            )
        else:
            _answer(answers, {"size": len(page)}, page)


def _answer(answers, fields, data=b""):
    answers.write(json.dumps(fields).encode() + b"\n" + data)
    answers.flush()


def main():
    """End with the process that asked, however that ends; leave Ctrl-C to it."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (PAGE_MEMORY, PAGE_MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
