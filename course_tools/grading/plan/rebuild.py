"""From a submitted file, which may hold anything, to a notebook that can be trusted.

Nothing of the submission is kept but the type, text and pictures of cells. Which
cells are tests, what they are worth and what locked cells say comes from the
gradebook, whatever the submitted metadata claim; the rules are those of nbgrader's
DeduplicateIds, OverwriteKernelspec and OverwriteCells.
"""

import itertools
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from course_tools.grading.limits import (
    CELL_CHARACTERS,
    NOTEBOOK_BYTES,
    NOTEBOOK_CELLS,
    NOTEBOOK_VALUES,
    SHOWN_NAME_CHARACTERS,
)
from course_tools.grading.plan.answer_key import AnswerKey, KeyCell
from course_tools.grading.plan.hidden_tests import without_hidden
from course_tools.grading.text import writable

KINDS = ("code", "markdown", "raw")
OLD_KINDS = {"code": "code", "markdown": "markdown", "heading": "markdown"}
VALUE = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{,]', re.DOTALL)
CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")


class Unreadable(Exception):
    """The file is no notebook; the text says why."""


@dataclass(frozen=True)
class SubmittedCell:
    """What is looked at of a cell that was handed in; `Any` may be anything."""

    type: str
    source: str
    grade_id: str | None = None  # as claimed
    claims_grade: bool = False
    id: Any = None
    tags: Any = None
    attachments: Any = None


def parse(data: bytes) -> list[SubmittedCell]:
    """Return the cells of a notebook file given as bytes."""
    content = load(data)
    try:
        cells = content["cells"] if "cells" in content else _of_worksheets(content)
    except Exception as error:
        raise Unreadable(f"not a notebook: {type(error).__name__}") from error
    if not isinstance(cells, list):
        raise Unreadable("not a notebook: cells is not a list")
    if len(cells) > NOTEBOOK_CELLS:
        raise Unreadable(f"the notebook has more than {NOTEBOOK_CELLS} cells")
    return [plain_cell(cell) for cell in cells if isinstance(cell, dict)]


def load(data: bytes) -> Any:
    """Return what a notebook file holds, which may be anything; its size is bounded."""
    if len(data) > NOTEBOOK_BYTES:
        raise Unreadable(f"the notebook is larger than {NOTEBOOK_BYTES >> 20} MB")
    if not data.strip():
        raise Unreadable("the notebook is empty")
    try:
        # another encoding could hide from us what json.loads finds in it
        text = data.decode("utf-8-sig", "surrogatepass")
        _require_few_values(text)
        return json.loads(text)
    except RecursionError as error:
        raise Unreadable("the notebook is nested too deep") from error
    except ValueError as error:
        raise Unreadable(f"not a notebook: {type(error).__name__}") from error


def _require_few_values(text: str) -> None:
    """Two bytes of JSON can take a hundred of memory, and make it slow to clear up."""
    if sum(map(text.count, '",[{')) > NOTEBOOK_VALUES:  # mostly within texts, maybe
        values = itertools.islice(VALUE.finditer(text), NOTEBOOK_VALUES + 1)
        if sum(1 for _ in values) > NOTEBOOK_VALUES:
            raise Unreadable(f"the notebook has more than {NOTEBOOK_VALUES:,} values")


def _of_worksheets(content: Any) -> list[Any]:
    """The cells of a notebook of before 2015, as those of today."""
    cells = [cell for sheet in content["worksheets"] for cell in sheet["cells"]]
    return [
        {
            **cell,
            "source": cell.get("input", cell.get("source", "")),
            "cell_type": OLD_KINDS.get(str(cell.get("cell_type")), "raw"),
        }
        for cell in cells
        if isinstance(cell, dict)
    ]


def plain_cell(cell: Mapping[str, Any]) -> SubmittedCell:
    """Reduce a submitted cell to type, text, id and claimed grade id."""
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join([part for part in source if isinstance(part, str)])
    if not isinstance(source, str) or len(source) > CELL_CHARACTERS:
        source = "# (this cell was larger than allowed and is left out)"
    kind = cell.get("cell_type")
    meta = cell.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    claims = meta.get("nbgrader")
    claims = claims if isinstance(claims, dict) else {}
    grade_id = claims.get("grade_id")
    return SubmittedCell(
        type=kind if kind in KINDS else "raw",
        source=writable(source),
        grade_id=grade_id if isinstance(grade_id, str) else None,
        claims_grade=bool(claims.get("grade")),
        id=cell.get("id"),
        tags=meta.get("tags"),
        attachments=cell.get("attachments"),
    )


def rebuild(
    cells: list[SubmittedCell], key: AnswerKey, incidents: list[str]
) -> NotebookNode:
    """Return a fresh notebook: student text, instructor's metadata and locked text."""
    if cells and not {cell.grade_id for cell in cells} & set(key.cells):
        incidents.append(f"none of the {len(key.cells)} cells is there: another set?")
        cells = _with_missing(cells, key, [])
    else:
        cells = _without_duplicates(cells, incidents)
        cells = _with_missing(cells, key, incidents)
    cells = _in_order(cells, key, incidents)
    notebook = new_notebook()
    if key.kernelspec:
        notebook.metadata["kernelspec"] = key.kernelspec
    used: set[str] = set()
    for cell in cells:
        notebook.cells.append(_build_cell(cell, key, incidents, used))
    return notebook


def _without_duplicates(
    cells: list[SubmittedCell], incidents: list[str]
) -> list[SubmittedCell]:
    """Of cells with the same id the last one counts, as in nbgrader."""
    last = {cell.grade_id: i for i, cell in enumerate(cells) if cell.grade_id}
    kept = []
    for position, cell in enumerate(cells):
        name = cell.grade_id
        if name and last[name] != position:
            incidents.append(f"cell {_short(name)} exists more than once")
            cell = replace(cell, grade_id=None)
        kept.append(cell)
    return kept


def _with_missing(
    cells: list[SubmittedCell], key: AnswerKey, incidents: list[str]
) -> list[SubmittedCell]:
    """Put deleted locked and test cells back after the cell they followed."""
    present = [cell.grade_id for cell in cells]
    previous = None
    for name, own in key.cells.items():
        if name not in present:
            incidents.append(f"cell {name} was missing")
            if own.locked:
                place = present.index(previous) + 1 if previous in present else 0
                restored = SubmittedCell(own.cell_type, own.source, own.name)
                cells = [*cells[:place], restored, *cells[place:]]
                present.insert(place, name)
        previous = name if name in present else previous
    return cells


def _in_order(
    cells: list[SubmittedCell], key: AnswerKey, incidents: list[str]
) -> list[SubmittedCell]:
    """Put moved cells back, each with the cells of the student's own behind it.

    The order of questions is the instructor's: a test that stands behind a cell which
    answers it, or in front of those with hidden checks, would say something else.
    """
    known = [cell.grade_id for cell in cells if cell.grade_id in key.cells]
    wanted = [name for name in key.cells if name in known]
    if known == wanted or not key.written:
        return cells
    incidents.append("cells were moved: the instructor's order is restored")
    groups: dict[str | None, list[SubmittedCell]] = {None: []}
    current = None
    for cell in cells:
        if cell.grade_id in key.cells:
            current = cell.grade_id
        groups.setdefault(current, []).append(cell)
    return [cell for name in (None, *wanted) for cell in groups[name]]


def _build_cell(
    cell: SubmittedCell, key: AnswerKey, incidents: list[str], used: set[str]
) -> NotebookNode:
    own = key.cells.get(cell.grade_id or "")
    if own is None:
        if cell.grade_id is not None or cell.claims_grade:
            name = _short(str(cell.grade_id))
            incidents.append(f"a cell claims the unknown id {name}")
        node = _new_cell(cell.type, cell.source)
    else:
        node = _new_cell(own.cell_type, _trusted_text(cell, own, key, incidents))
        node.metadata["nbgrader"] = _metadata(own)
    if isinstance(cell.id, str) and CELL_ID.match(cell.id) and cell.id not in used:
        node.id = cell.id
    used.add(node.id)
    students = own is None or not own.locked
    if students and node.cell_type != "code" and _are_pictures(cell.attachments):
        node["attachments"] = cell.attachments
    return node


def _trusted_text(
    cell: SubmittedCell, own: KeyCell, key: AnswerKey, incidents: list[str]
) -> str:
    """Return the text of a cell with an id: of a locked one, the instructor's."""
    if cell.tags:
        incidents.append(f"cell {own.name} carries tags of its own")
    if cell.type != own.cell_type:
        incidents.append(f"cell {own.name} had another type")
    if not own.locked or cell.source == own.source:
        return cell.source
    known = (own.source, without_hidden(own.source, key.marks))
    if cell.source not in known and _normal(cell.source) not in map(_normal, known):
        incidents.append(f"cell {own.name} was edited")
    return own.source


def _new_cell(kind: str, source: str) -> NotebookNode:
    """Return a cell as nbformat makes it, which would check each against its schema."""
    fields: dict[str, Any] = {"cell_type": kind, "id": uuid.uuid4().hex[:8]}
    fields.update(source=source, metadata=NotebookNode())
    if kind == "code":
        fields.update(execution_count=None, outputs=[])
    return NotebookNode(fields)


def _short(name: str) -> str:
    return name[:SHOWN_NAME_CHARACTERS]


def _normal(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.strip().split("\n"))


def _metadata(own: KeyCell) -> dict[str, Any]:
    meta = {
        "grade": own.grade,
        "grade_id": own.name,
        "locked": own.locked,
        "schema_version": 3,
        "solution": own.solution,
        "task": own.task,
        "cell_type": own.cell_type,
        "checksum": own.checksum,
    }
    if own.grade or own.task:
        meta["points"] = own.points
    return meta


def _are_pictures(attachments: Any) -> bool:
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
