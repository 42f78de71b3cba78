"""From a trusted notebook to a plan: which cell runs where."""

import builtins
from dataclasses import replace

from nbformat import NotebookNode

from course_tools.grading.limits import Limits
from course_tools.grading.messages import Cell, Plan
from course_tools.grading.plan import hidden_tests
from course_tools.grading.plan.answer_key import AnswerKey, KeyCell
from course_tools.grading.plan.solution_facts import defined_names, parse, used_names

# with these a test may speak of names that are not written in it as names
BY_TEXT = {"globals", "locals", "vars", "eval", "exec", "compile", "__import__"}


def make_plan(notebook: NotebookNode, key: AnswerKey, limits: Limits) -> Plan:
    """Return the plan the judge follows; its cells are in notebook order."""
    cells = []
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            meta = cell.metadata.get("nbgrader", {})
            own = key.cells.get(meta.get("grade_id"))
            cells.append(_plan_cell(index, cell.source, own, key))
    cells = _choose_for_judge(cells)
    trusted = tuple(cell.source for cell in cells if cell.role != "student")
    return Plan(
        cells=tuple(cells),
        prologue=_locked_at_first(cells),
        limits=limits,
        solution=key.solution,
        texts=hidden_tests.visible_texts(trusted, key.marks),
        rules=key.rules,
    )


def _locked_at_first(cells: list[Cell]) -> int:
    """Return how many locked cells come before everything else."""
    locked = [cell.role == "locked" for cell in cells]
    return [*locked, False].index(False)


def _plan_cell(index: int, source: str, own: KeyCell | None, key: AnswerKey) -> Cell:
    """`own` is the cell of the instructor's version, if there is one."""
    if own is None:
        return Cell(index, "student", source)
    plain = Cell(index, "student", source, own.name, own.points)
    if own.is_test:
        lines = sorted(hidden_tests.hidden_lines(source, key.marks))
        names = tuple(sorted(defined_names(parse(source))))
        return replace(plain, role="test", hidden=tuple(lines), defines=names)
    if own.locked:
        names = tuple(sorted(defined_names(parse(source))))
        alone = own.name in key.rules.judge_alone
        return replace(plain, role="locked", defines=names, judge=alone, alone=alone)
    return replace(
        plain,
        defines=key.solution.defines.get(own.name, ()),
        changes=key.solution.changes.get(own.name, ()),
    )


def _choose_for_judge(cells: list[Cell]) -> list[Cell]:
    """Locked cells also run in the judge, unless they only show student results.

    A locked cell that calls student code and defines nothing a test needs (a figure
    of the student's results, a training run) would only be computed twice.
    """
    needed: set[str] = set()
    for cell in cells:
        if cell.role == "test":
            needed |= used_names(parse(cell.source))
    by_text = bool(needed & BY_TEXT)  # then any name may be needed
    own = {*dir(builtins), "get_ipython", "display"}
    for cell in cells:
        if cell.role == "locked":
            own |= set(cell.defines)
    chosen = []
    for cell in reversed(cells):
        if cell.role == "locked":
            uses = used_names(parse(cell.source))
            if cell.alone or by_text or needed & set(cell.defines) or uses <= own:
                cell = replace(cell, judge=True)
                needed |= uses
        chosen.append(cell)
    return chosen[::-1]
