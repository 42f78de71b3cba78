"""Feedback notebooks as HTML pages, with nbgrader's template, quickly.

nbconvert spends most of its time on work that is the same for every submission of a
class (style sheets, markdown of the questions, a second parse of the finished page).
Here each of these is done once.
"""

import functools
import os

import nbgrader
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.templateexporter import TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat.v4 import new_notebook
from traitlets.config import Config

FORMGRADER = os.path.join(
    os.path.dirname(nbgrader.__file__), "server_extensions", "formgrader"
)


class PageExporter(HTMLExporter):
    """nbconvert's exporter with a memory for what many pages share."""

    def __init__(self, **options):
        super().__init__(**options)
        self.seen = {}
        highlight = Highlight2HTML(pygments_lexer="ipython3", parent=self)
        self.highlight = functools.lru_cache(4000)(highlight)

    @pass_context
    def markdown2html(self, context, source):
        cell = context.get("cell", {})
        if "attachments" in cell:
            return super().markdown2html(context, source)
        if source not in self.seen:
            if len(self.seen) > 4000:
                self.seen.clear()
            self.seen[source] = super().markdown2html(context, source)
        return self.seen[source]

    def from_notebook_node(self, nb, resources=None, **options):
        resources = self._init_resources(resources)
        types = WidgetsDataTypeFilter(
            notebook_metadata=self._nb_metadata, parent=self, resources=resources
        )
        self.register_filter("highlight_code", self.highlight_code)
        self.register_filter("filter_data_type", types)
        return TemplateExporter.from_notebook_node(self, nb, resources, **options)

    def highlight_code(self, source, language=None, metadata=None, **_):
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
        styles = CSSHTMLHeaderPreprocessor(config=config)
        _, resources = styles.preprocess(new_notebook(), {"config_dir": ""})
        self.inlining = resources["inlining"]

    def render(self, notebook, resources):
        """Return the page; `resources` are those of nbgrader's template."""
        given = {"nbgrader": resources, "inlining": self.inlining}
        text, _ = self.exporter.from_notebook_node(notebook, resources=given)
        return text
