"""The tables of `./course export` inside nbgrader: `nbgrader export --exporter=...`.

nbgrader's own exporter quotes nothing and writes what students call themselves as it
is. In nbgrader_config.py:

    c.ExportApp.plugin_class = "course_tools.grading.export_plugins.Nbgrader"
"""

from pathlib import Path
from typing import ClassVar

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin

from course_tools.grading.course.export import collect, count_unmarked, write
from course_tools.grading.run.report import waiting


class _Table(ExportPlugin):
    """One of the formats of `./course export`, in a file."""

    form: ClassVar[str]
    default_name: ClassVar[str]

    def export(self, gradebook: Gradebook) -> None:
        """Write the scores; nbgrader calls this for `nbgrader export`."""
        sets = self._known(
            self.assignment, [str(a.name) for a in gradebook.assignments]
        )
        students = self._known(self.student, [str(s.id) for s in gradebook.students])
        if unmarked := count_unmarked(gradebook, sets):
            self.log.warning(waiting(unmarked))
        path = Path(self.to or self.default_name)
        with path.open("w", encoding="utf-8", newline="") as file:
            write(collect(gradebook, sets, students), self.form, file)
        self.log.info("Scores as a table for %s: %s", self.form, path)

    def _known(self, named: list, there: list[str]) -> list[str]:
        """Return the names as text; one that is not there would leave a table empty."""
        names = [str(name) for name in named]  # the command line makes 7 of "7"
        if unknown := sorted(set(names) - set(there)):
            self.log.error("not in the gradebook: %s", ", ".join(unknown))
            raise SystemExit(1)
        return names


class Nbgrader(_Table):
    """nbgrader's columns."""

    form = "nbgrader"
    default_name = "grades.csv"


class Canvas(_Table):
    """A row for each student, as Canvas imports it."""

    form = "canvas"
    default_name = "canvas.csv"


class Moodle(_Table):
    """A row for each student, as Moodle imports it."""

    form = "moodle"
    default_name = "moodle.csv"
