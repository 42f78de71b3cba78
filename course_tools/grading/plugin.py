"""The engine inside nbgrader: preprocessors for `nbgrader autograde` and feedback.

In nbgrader_config.py:

    c.Autograde.sanitize_preprocessors = plugin.SANITISE
    c.Autograde.autograde_preprocessors = plugin.AUTOGRADE
    c.GenerateFeedback.preprocessors = plugin.FEEDBACK
"""

import atexit
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float

from course_tools.grading.bridge import files
from course_tools.grading.course.course import require_hidden, timeout_of
from course_tools.grading.limits import Limits
from course_tools.grading.messages import Files, Job
from course_tools.grading.plan import answer_key, hidden_tests, planning, rebuild
from course_tools.grading.plan.answer_key import AnswerKey
from course_tools.grading.run import results

if TYPE_CHECKING:  # for Linux alone; the settings of a course are read anywhere
    from course_tools.grading.run.workers import LocalWorkers

Resources = dict[str, Any]  # what nbconvert hands from step to step

SANITISE = [
    "course_tools.grading.plugin.Restore",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
AUTOGRADE = [
    "course_tools.grading.plugin.Grade",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
FEEDBACK = [
    "nbgrader.preprocessors.GetGrades",
    "course_tools.grading.plugin.HideTests",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
Warm = tuple[Limits, bool, tuple[str, ...]]  # what warm workers were started for
_workers: "dict[Warm, LocalWorkers]" = {}


class _CoursePreprocessor(NbGraderPreprocessor):
    def course(self) -> CourseDirectory:
        """Return the course directory of the command that uses this preprocessor."""
        owner = self.parent
        while owner is not None and not hasattr(owner, "coursedir"):
            owner = owner.parent
        assert owner is not None, "this preprocessor runs inside nbgrader's commands"
        return owner.coursedir

    def key(self, resources: Resources) -> tuple[AnswerKey, Files]:
        """Return the instructor's version of the notebook and the files beside it.

        It is read every time: formgrader's server lives for days, and sources change.
        """
        course, about = self.course(), resources["nbgrader"]
        name = about["assignment"]
        source = course.format_path(course.source_directory, ".", name)
        with Gradebook(about["db_url"], course.course_id) as gradebook:
            marks = hidden_tests.marks_of(course.config)
            keys = answer_key.read(gradebook, name, source, marks)
        return keys[about["notebook"]], files.collect(source, [])

    def warn(self, resources: Resources, incidents: Iterable[str]) -> None:
        for incident in incidents:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], incident)


class Restore(_CoursePreprocessor):
    """Replaces a submitted notebook by a trusted one with the same answers."""

    def preprocess(
        self, nb: NotebookNode, resources: Resources
    ) -> tuple[NotebookNode, Resources]:
        key, _ = self.key(resources)
        incidents: list[str] = []
        cells = [rebuild.plain_cell(cell) for cell in nb.cells]
        restored = rebuild.rebuild(cells, key, incidents)
        self.warn(resources, incidents)
        return restored, resources


class Grade(_CoursePreprocessor):
    """Runs a notebook in the sandbox, its tests in the judge, instead of a kernel."""

    timeout = Float(
        None, allow_none=True, help="seconds per cell and question; else as nbgrader's"
    ).tag(config=True)
    unsafe = Bool(False, help="grade without a sandbox").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: Resources
    ) -> tuple[NotebookNode, Resources]:
        key, judge_files = self.key(resources)
        seconds = self.timeout or timeout_of(self.config) or Limits.cell_seconds
        limits = Limits(cell_seconds=seconds)
        folder = resources.get("metadata", {}).get("path") or os.getcwd()
        incidents: list[str] = []
        beside = {**files.collect(folder, incidents), **judge_files}
        job = Job(planning.make_plan(nb, key, limits), beside, judge_files)
        result = self._start(limits, key.warm).submit(job).result()
        results.fill_in(nb, key, result, limits)
        self.warn(resources, [*incidents, *result.incidents])
        return nb, resources

    def _start(self, limits: Limits, warm: tuple[str, ...]) -> "LocalWorkers":
        """Start the warm process once for all submissions that need the same."""
        from course_tools.grading.run.workers import LocalWorkers

        wanted = (limits, self.unsafe, warm)
        if not self.unsafe:
            require_hidden(self.course().root)
        if wanted not in _workers:
            end_workers()
            _workers[wanted] = LocalWorkers(1, *wanted).__enter__()
        return _workers[wanted]


class HideTests(NbGraderPreprocessor):
    """Takes hidden tests, and whatever could tell of them, out of a student's page."""

    def preprocess(
        self, nb: NotebookNode, resources: Resources
    ) -> tuple[NotebookNode, Resources]:
        # needs packages that only who grades has
        from course_tools.grading.pages.student_version import hide_tests

        hide_tests(nb, hidden_tests.marks_of(self.config))
        return nb, resources


@atexit.register
def end_workers() -> None:
    while _workers:
        _, workers = _workers.popitem()
        workers.__exit__()
