"""The appendix is what the table makes of it, and nobody writes into it by hand."""

import re

import nbformat
import pytest

from course_lib.errata import ledger
from course_tools.authoring.ledger import PATH, cells, of_lecture

STORED = nbformat.read(PATH, as_version=4).cells
TIME = re.compile(r"^\*\*Time\*\*.*$", re.M)  # tidy counts the minutes


def parts(cell) -> tuple:
    source = TIME.sub("", cell.source)
    return cell.cell_type, cell.id, source, cell.metadata.get("tags", [])


def test_the_stored_notebook_is_the_one_the_table_makes():
    made, stored = list(map(parts, cells())), list(map(parts, STORED))
    assert stored == made, "run: python -m course_tools.authoring.ledger"


@pytest.mark.parametrize("entry", ledger(), ids=lambda e: f"E{e.number}")
def test_every_entry_is_stored_with_what_is_right(entry):
    """An entry whose row or section has changed must be stored anew."""
    (cell,) = [c for c in STORED if f"E{entry.number}" in c.metadata.get("tags", [])]
    page = cell.outputs[0].data["text/html"]
    assert f"<b>E{entry.number}</b>" in page
    assert f'href="{entry.address}"' in page


def test_no_institution_is_named():
    text = str(STORED)
    assert not re.search(r"Universi|Universidade|College|Imperial|Zagreb|UFRN", text)


def test_a_lecture_without_entries_has_no_heading():
    assert of_lecture("00_start_here", "00 · Start here") == []
