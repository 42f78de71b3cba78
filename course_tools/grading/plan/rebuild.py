"""From a submitted file, which may hold anything, to a notebook that can be trusted.

Nothing of the submission is kept but the type, text and pictures of cells. Which
cells are tests, what they are worth and what locked cells say comes from the
gradebook, whatever the submitted metadata claim; the rules are those of nbgrader's
DeduplicateIds, OverwriteKernelspec and OverwriteCells.
"""

import json
import re
import uuid

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from course_tools.grading.limits import (
    CELL_CHARACTERS,
    NOTEBOOK_BYTES,
    NOTEBOOK_CELLS,
    SHOWN_NAME_CHARACTERS,
)
from course_tools.grading.plan.hidden import without_hidden
from course_tools.grading.text import writable

KINDS = ("code", "markdown", "raw")
CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")


class Unreadable(Exception):
    """The file is no notebook; the text says why."""


def parse(data):
    """Return the list of cells of a notebook file given as bytes."""
    if len(data) > NOTEBOOK_BYTES:
        raise Unreadable(f"the notebook is larger than {NOTEBOOK_BYTES >> 20} MB")
    if not data.strip():
        raise Unreadable("the notebook is empty")
    try:
        content = json.loads(data)
        if isinstance(content, dict) and content.get("nbformat", 4) < 4:
            content = nbformat.convert(nbformat.from_dict(content), 4)
        cells = content["cells"]
    except RecursionError as error:
        raise Unreadable("the notebook is nested too deep") from error
    except Exception as error:
        raise Unreadable(f"not a notebook: {type(error).__name__}") from error
    if not isinstance(cells, list):
        raise Unreadable("not a notebook: cells is not a list")
    if len(cells) > NOTEBOOK_CELLS:
        raise Unreadable(f"the notebook has more than {NOTEBOOK_CELLS} cells")
    return [plain_cell(cell) for cell in cells if isinstance(cell, dict)]


def plain_cell(cell):
    """Reduce a submitted cell to type, text, id and claimed grade id."""
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join([part for part in source if isinstance(part, str)])
    if not isinstance(source, str) or len(source) > CELL_CHARACTERS:
        source = "# (this cell was larger than allowed and is left out)"
    kind = cell.get("cell_type")
    meta = cell.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    claimed = meta.get("nbgrader")
    claimed = claimed if isinstance(claimed, dict) else {}
    grade_id = claimed.get("grade_id")
    return {
        "type": kind if kind in KINDS else "raw",
        "source": writable(source),
        "id": cell.get("id"),
        "grade_id": grade_id if isinstance(grade_id, str) else None,
        "claims_grade": bool(claimed.get("grade")),
        "tags": meta.get("tags"),
        "attachments": cell.get("attachments"),
    }


def rebuild(cells, truth, incidents):
    """Return a fresh notebook: student text, instructor's metadata and locked text."""
    if cells and not {cell["grade_id"] for cell in cells} & set(truth.cells):
        incidents.append(f"none of the {len(truth.cells)} cells is there: another set?")
        cells = _with_missing(cells, truth, [])
    else:
        cells = _without_duplicates(cells, incidents)
        cells = _with_missing(cells, truth, incidents)
    cells = _in_order(cells, truth, incidents)
    notebook = new_notebook()
    if truth.kernelspec:
        notebook.metadata["kernelspec"] = truth.kernelspec
    used = set()
    for cell in cells:
        notebook.cells.append(_build_cell(cell, truth, incidents, used))
    return notebook


def _without_duplicates(cells, incidents):
    """Of cells with the same id the last one counts, as in nbgrader."""
    last = {cell["grade_id"]: i for i, cell in enumerate(cells) if cell["grade_id"]}
    kept = []
    for position, cell in enumerate(cells):
        name = cell["grade_id"]
        if name is not None and last[name] != position:
            incidents.append(f"cell {_short(name)} exists more than once")
            cell = dict(cell, grade_id=None)
        kept.append(cell)
    return kept


def _with_missing(cells, truth, incidents):
    """Put deleted locked and test cells back after the cell they followed."""
    present = [cell["grade_id"] for cell in cells]
    previous = None
    for name, true in truth.cells.items():
        if name not in present:
            incidents.append(f"cell {name} was missing")
            if true.locked:
                place = present.index(previous) + 1 if previous in present else 0
                cells = [*cells[:place], _restored(true), *cells[place:]]
                present.insert(place, name)
        previous = name if name in present else previous
    return cells


def _in_order(cells, truth, incidents):
    """Put moved cells back, each with the cells of the student's own behind it.

    The order of questions is the instructor's: a test that stands behind a cell which
    answers it, or in front of those with hidden checks, would say something else.
    """
    known = [cell["grade_id"] for cell in cells if cell["grade_id"] in truth.cells]
    wanted = [name for name in truth.cells if name in known]
    if known == wanted or not truth.solved:
        return cells
    incidents.append("cells were moved: the instructor's order is restored")
    groups, current = {None: []}, None
    for cell in cells:
        if cell["grade_id"] in truth.cells:
            current = cell["grade_id"]
        groups.setdefault(current, []).append(cell)
    return [cell for name in (None, *wanted) for cell in groups[name]]


def _restored(true):
    given = {"type": true.cell_type, "source": true.source, "grade_id": true.name}
    return dict(given, id=None, claims_grade=False, tags=None, attachments=None)


def _build_cell(cell, truth, incidents, used):
    name = cell["grade_id"]
    true = truth.cells.get(name)
    kind, source = cell["type"], cell["source"]
    if true is None:
        if name is not None or cell["claims_grade"]:
            incidents.append(f"a cell claims the unknown id {_short(str(name))}")
    else:
        if cell["tags"]:
            incidents.append(f"cell {name} carries tags of its own")
        if kind != true.cell_type:
            incidents.append(f"cell {name} had another type")
            kind = true.cell_type
        if true.locked and source != true.source:
            known = (true.source, without_hidden(true.source, truth.marks))
            if source not in known and _normal(source) not in map(_normal, known):
                incidents.append(f"cell {name} was edited")
            source = true.source
    made = _new_cell(kind, source)
    if isinstance(cell["id"], str) and CELL_ID.match(cell["id"]):
        made.id = cell["id"]
    if made.id in used:
        made.id = _new_id()
    used.add(made.id)
    if true is not None:
        made.metadata["nbgrader"] = _metadata(true)
    own = true is None or not true.locked
    if own and kind != "code" and _are_pictures(cell["attachments"]):
        made["attachments"] = cell["attachments"]
    return made


def _new_cell(kind, source):
    """Return a cell as nbformat makes it, which would check each against its schema."""
    made = {"cell_type": kind, "id": _new_id(), "source": source}
    made["metadata"] = NotebookNode()
    if kind == "code":
        made.update(execution_count=None, outputs=[])
    return NotebookNode(made)


def _new_id():
    return uuid.uuid4().hex[:8]


def _short(name):
    return name[:SHOWN_NAME_CHARACTERS]


def _normal(source):
    return "\n".join(line.rstrip() for line in source.strip().split("\n"))


def _metadata(true):
    meta = {
        "grade": true.grade,
        "grade_id": true.name,
        "locked": true.locked,
        "schema_version": 3,
        "solution": true.solution,
        "task": true.task,
        "cell_type": true.cell_type,
        "checksum": true.checksum,
    }
    if true.grade or true.task:
        meta["points"] = true.points
    return meta


def _are_pictures(attachments):
    """True for {name: {mime: base64 text}} with nothing but pictures in it."""
    if not isinstance(attachments, dict) or not attachments:
        return False
    return all(
        isinstance(bundle, dict)
        and bundle
        and all(
            isinstance(mime, str)
            and mime.startswith("image/")
            and "svg" not in mime
            and isinstance(data, str)
            for mime, data in bundle.items()
        )
        for bundle in attachments.values()
    )
