"""Run made-up notebooks through the engine, without a course around them."""

from nbformat.v4 import new_code_cell, new_notebook

from course_tools.grading.limits import Limits
from course_tools.grading.messages import Job, Plan, Result, Verdict
from course_tools.grading.plan import planning, solution_facts
from course_tools.grading.plan.answer_key import AnswerKey, KeyCell
from course_tools.grading.rules import Rules
from course_tools.grading.run import job
from course_tools.grading.run.job import Place
from course_tools.grading.run.zygote_client import Forker
from course_tools.grading.sandbox import cgroups

NONE = Rules()


class Bench:
    """Runs made-up notebooks: ("student" | "locked" | "test", source) pairs."""

    def __init__(self, zygote: Forker) -> None:
        self.zygote = zygote

    def plan(
        self, cells, solution=(), limits: Limits | None = None, rules: Rules = NONE
    ) -> Plan:
        """Return a plan as the coordinator would make it; `solution` as instructor."""
        notebook, own = new_notebook(), {}
        for index, (role, source) in enumerate(cells):
            name = f"{role}{index}"
            cell = new_code_cell(source)
            if role != "student":
                own[name] = KeyCell(
                    name, "code", source, "", True, grade=role == "test", points=7.0
                )
                cell.metadata["nbgrader"] = {"grade_id": name}
            notebook.cells.append(cell)
        facts = solution_facts.learn(
            [(f"solution{i}", source) for i, source in enumerate(solution)], []
        )
        key = AnswerKey("made-up", own, facts, rules=rules)
        return planning.make_plan(notebook, key, limits or Limits(cell_seconds=20))

    def run(
        self,
        *cells,
        solution=(),
        limits=None,
        files=None,
        judge_files=None,
        rules=NONE,
    ) -> Result:
        """Return the result of a job over the cells."""
        limits = limits or Limits(cell_seconds=20)
        plan = self.plan(cells, solution, limits, rules)
        group = cgroups.make_group(91, limits)
        try:
            place = Place(self.zygote, 0, group)
            return job.run(Job(plan, files or {}, judge_files or {}), place)
        finally:
            group.remove()

    def verdicts(self, *cells, **options) -> list[Verdict]:
        """Return the verdicts in order."""
        return self.run(*cells, **options).verdicts

    def check(self, student, *tests, solution=(), locked=None) -> tuple[bool, str]:
        """Grade tests against student code; return (passed, message) of the last."""
        cells = [("locked", locked)] if locked else []
        cells += [("student", student), *(("test", test) for test in tests)]
        last = self.verdicts(*cells, solution=solution)[-1]
        return last.score == 7.0, last.message if last.failure else ""
