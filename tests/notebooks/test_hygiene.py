"""How lectures are stored: they must read well, diff well and compare."""

import re

import nbformat
import pytest
from lectures import LECTURES, NOTEBOOKS, code_cells

from course_tools.authoring import rules
from course_tools.authoring.tidy import WIDGET_VIEW, machine_paths

MAX_BYTES = 1_000_000
MAX_LINES = 40
TITLE = re.compile(r"^# ")
every_lecture = pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)


@every_lecture
def test_execution_counts_are_one_to_n(path):
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1)), f"run: ./course tidy {path.name}"


@every_lecture
def test_outputs_hold_no_errors_warnings_widgets_or_odd_formats(path):
    for cell in code_cells(path):
        for output in cell.outputs:
            assert output.output_type != "error", cell.id
            assert output.get("name") != "stderr", cell.id
            kinds = set(output.get("data", {}))
            assert not kinds & {WIDGET_VIEW, "image/svg+xml", "image/jpeg"}, cell.id
    assert "widgets" not in nbformat.read(path, as_version=4).metadata


@every_lecture
def test_every_figure_has_a_description(path):
    """`show` writes it and refuses axes without labels; so every picture is its."""
    for cell in code_cells(path):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                alt = output.metadata.get("image/png", {}).get("alt", "")
                assert len(alt) >= 20, f"cell {cell.id}: use show(fig, alt)"


@every_lecture
def test_notebook_is_small_and_its_cells_are_short(path):
    assert path.stat().st_size < MAX_BYTES
    for cell in code_cells(path):
        lines = len(cell.source.splitlines())
        assert lines <= MAX_LINES, f"cell {cell.id} has {lines} lines"


@every_lecture
def test_notebook_names_no_folder_of_a_machine(path):
    assert machine_paths(nbformat.read(path, as_version=4)) == []


@every_lecture
def test_cell_ids_are_unique_and_readable(path):
    ids = [cell.id for cell in nbformat.read(path, as_version=4).cells]
    assert len(set(ids)) == len(ids)


@every_lecture
def test_links_between_notebooks_lead_somewhere(path):
    """A link to a lecture that is still to come must be one the plan knows."""
    from course_tools.authoring.coverage import promised

    planned = {row.lecture for row in promised()} | {"A_ledger"}
    text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
    for target in re.findall(r"\]\(([^)#:]+\.ipynb)\)", text):
        known = (path.parent / target).exists() or target[: -len(".ipynb")] in planned
        assert known, f"dead link: {target}"


@every_lecture
def test_lecture_starts_with_a_title_and_says_how_long_it_takes(path):
    first = nbformat.read(path, as_version=4).cells[0]
    assert first.cell_type == "markdown"
    assert TITLE.match(first.source)
    assert "minutes" in first.source


def broken_rules(path) -> list[str]:
    return rules.complaints(nbformat.read(path, as_version=4), path.stem)


@every_lecture
def test_a_lecture_follows_the_rules(path):
    """Honest minutes in the header, folded answers, exercises with solutions."""
    assert broken_rules(path) == []


def test_there_are_lectures():
    assert NOTEBOOKS / "00_start_here.ipynb" in LECTURES
