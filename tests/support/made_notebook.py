"""Run made-up notebooks through the engine, without a course around them."""

from nbformat.v4 import new_code_cell, new_notebook

from course_tools.grading.limits import Limits
from course_tools.grading.plan import planning, solution_facts
from course_tools.grading.plan.answer_key import TrueCell, TrueNotebook
from course_tools.grading.run import job
from course_tools.grading.sandbox import cgroups


class Bench:
    """Runs made-up notebooks: ("student" | "locked" | "test", source) pairs."""

    def __init__(self, zygote):
        self.zygote = zygote

    def plan(self, cells, solution=(), limits=None):
        """Return a plan as the coordinator would make it; `solution` as instructor."""
        notebook, true = new_notebook(), TrueNotebook("made-up")
        for index, (role, source) in enumerate(cells):
            name = f"{role}{index}"
            cell = new_code_cell(source)
            if role != "student":
                true.cells[name] = TrueCell(
                    name, "code", source, "", True, grade=role == "test", points=7.0
                )
                cell.metadata["nbgrader"] = {"grade_id": name}
            notebook.cells.append(cell)
        true.knowledge = solution_facts.learn(
            [(f"solution{i}", source) for i, source in enumerate(solution)], []
        )
        return planning.make_plan(notebook, true, limits or Limits(cell_seconds=20))

    def run(self, *cells, solution=(), limits=None, files=None, judge_files=None):
        """Return the result of a job over the cells."""
        limits = limits or Limits(cell_seconds=20)
        task = {
            "plan": self.plan(cells, solution, limits),
            "files": files or {},
            "judge_files": judge_files or {},
        }
        group = cgroups.make_group(91, limits)
        try:
            return job.run(task, self.zygote, 0, group)
        finally:
            group.remove()

    def verdicts(self, *cells, **options):
        """Return the verdict reports in order."""
        result = self.run(*cells, **options)
        return [r for r in result["reports"] if r["event"] == "verdict"]

    def check(self, student, *tests, solution=(), locked=None):
        """Grade tests against student code; return (passed, message) of the last."""
        cells = [("locked", locked)] if locked else []
        cells += [("student", student), *(("test", test) for test in tests)]
        last = self.verdicts(*cells, solution=solution)[-1]
        return last["score"] == 7.0, (last["error"] or {}).get("message", "")
