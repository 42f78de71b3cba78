"""From a trusted notebook to a plan: which cell runs where."""

import builtins

from course_tools.grading.plan import hidden
from course_tools.grading.plan.solution_facts import defined_names, parse, used_names


def make_plan(notebook, truth, limits):
    """Return the plan the judge follows; its cells are in notebook order."""
    cells = []
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        meta = cell.metadata.get("nbgrader", {})
        true = truth.cells.get(meta.get("grade_id"))
        cells.append(_plan_cell(index, cell.source, true, truth))
    _choose_for_judge(cells)
    return {
        "cells": cells,
        "prologue": _locked_at_first(cells),
        "limits": limits.to_dict(),
        "knowledge": truth.knowledge.as_dict,
        "texts": hidden.visible_texts(
            tuple(cell["source"] for cell in cells if cell["role"] != "student"),
            truth.marks,
        ),
    }


def _locked_at_first(cells):
    """Return how many locked cells come before everything else."""
    roles = [cell["role"] == "locked" for cell in cells]
    return (roles + [False]).index(False)


def _plan_cell(index, source, true, truth):
    role = "student"
    if true is not None and true.is_test:
        role = "test"
    elif true is not None and true.locked:
        role = "locked"
    defines, changes, lines = [], [], ()
    if role == "test":
        lines = hidden.hidden_lines(source, truth.marks)
    if role == "locked":
        defines = sorted(defined_names(parse(source)))
    elif role == "student" and true is not None:
        defines = truth.knowledge.defines.get(true.name, [])
        changes = truth.knowledge.changes.get(true.name, [])
    return {
        "index": index,
        "role": role,
        "source": source,
        "grade_id": None if true is None else true.name,
        "points": 0.0 if true is None else true.points,
        "hidden": sorted(lines),
        "defines": defines,
        "changes": changes,
        "judge": False,
    }


def _choose_for_judge(cells):
    """Locked cells also run in the judge, unless they only show student results.

    A locked cell that calls student code and defines nothing a test needs (a figure
    of the student's results, a training run) would only be computed twice.
    """
    needed = set()
    for cell in cells:
        if cell["role"] == "test":
            needed |= used_names(parse(cell["source"]))
    own = set(dir(builtins)) | {"get_ipython", "display"}
    for cell in cells:
        if cell["role"] == "locked":
            own |= set(cell["defines"])
    for cell in reversed(cells):
        if cell["role"] != "locked":
            continue
        uses = used_names(parse(cell["source"]))
        if needed & set(cell["defines"]) or uses <= own:
            cell["judge"] = True
            needed |= uses
