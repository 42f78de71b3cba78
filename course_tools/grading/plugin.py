"""The engine inside nbgrader: preprocessors for `nbgrader autograde` and feedback.

In nbgrader_config.py:

    c.Autograde.sanitize_preprocessors = plugin.SANITISE
    c.Autograde.autograde_preprocessors = plugin.AUTOGRADE
    c.GenerateFeedback.preprocessors = plugin.FEEDBACK
"""

import atexit
import os

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float

from course_tools.grading.bridge import files
from course_tools.grading.course.course import require_hidden, timeout_of
from course_tools.grading.limits import Limits
from course_tools.grading.plan import answer_key, hidden, planning, rebuild
from course_tools.grading.run import results
from course_tools.grading.run.workers import LocalWorkers

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
    "course_tools.grading.pages.student_version.HideTests",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
_workers = {}


def _truth(resources, course):
    """Return the instructor's version of the notebook and the files beside it.

    It is read every time: formgrader's server lives for days, and sources change.
    """
    told = resources["nbgrader"]
    source = course.format_path(course.source_directory, ".", told["assignment"])
    with Gradebook(told["db_url"], course.course_id) as gradebook:
        marks = hidden.marks_of(course.config)
        found = answer_key.read(gradebook, told["assignment"], source, marks)
    return found[told["notebook"]], files.collect(source, [])


class _CoursePreprocessor(NbGraderPreprocessor):
    def course(self):
        """Return the course directory of the command that uses this preprocessor."""
        owner = self.parent
        while owner is not None and not hasattr(owner, "coursedir"):
            owner = owner.parent
        return owner.coursedir


class Restore(_CoursePreprocessor):
    """Replaces a submitted notebook by a trusted one with the same answers."""

    def preprocess(self, nb, resources):
        true, _ = _truth(resources, self.course())
        incidents = []
        cells = [rebuild.plain_cell(cell) for cell in nb.cells]
        made = rebuild.rebuild(cells, true, incidents)
        for incident in incidents:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], incident)
        return made, resources


class Grade(_CoursePreprocessor):
    """Runs a notebook in the sandbox, its tests in the judge, instead of a kernel."""

    timeout = Float(
        None, allow_none=True, help="seconds per cell and question; else as nbgrader's"
    ).tag(config=True)
    unsafe = Bool(False, help="grade without a sandbox").tag(config=True)

    def preprocess(self, nb, resources):
        true, judge_files = _truth(resources, self.course())
        seconds = self.timeout or timeout_of(self.config) or Limits.cell_seconds
        limits = Limits(cell_seconds=seconds)
        folder = resources.get("metadata", {}).get("path") or os.getcwd()
        incidents = []
        job = {
            "plan": planning.make_plan(nb, true, limits),
            "files": {**files.collect(folder, incidents), **judge_files},
            "judge_files": judge_files,
        }
        result = self._start(limits, true.warm).submit(job).result()
        results.fill_in(nb, true, result, limits)
        for incident in [*incidents, *result["incidents"]]:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], incident)
        return nb, resources

    def _start(self, limits, warm):
        """Start the warm process once for all submissions that need the same."""
        wanted = (limits, self.unsafe, tuple(warm))
        if not self.unsafe:
            require_hidden(self.course().root)
        if wanted not in _workers:
            end_workers()
            _workers[wanted] = LocalWorkers(1, *wanted).__enter__()
        return _workers[wanted]


@atexit.register
def end_workers():
    while _workers:
        _, workers = _workers.popitem()
        workers.__exit__()
