"""What the course promises is shown by an executed cell, and the table says so."""

import pytest
from lectures import NOTEBOOKS

from course_tools.authoring import coverage


def test_all_rows_are_promised():
    names = [row.name for row in coverage.promised()]
    assert names == [f"C{n}" for n in range(1, 363)] + [f"E{n}" for n in range(1, 92)]


def test_every_row_is_shown():
    missing = [row.name for row in coverage.coverage() if row.missing]
    assert not missing, f"no executed cell is tagged {', '.join(missing)}"


def test_the_table_is_up_to_date():
    stored = (NOTEBOOKS / "coverage.md").read_text(encoding="utf8")
    assert stored == coverage.table(coverage.coverage()), "run ./course coverage"


def test_an_unknown_tag_is_an_error(tmp_path):
    text = (NOTEBOOKS / "02_simple_rnn.ipynb").read_text(encoding="utf8")
    (tmp_path / "x.ipynb").write_text(text.replace('"C23"', '"C999"'), encoding="utf8")
    with pytest.raises(ValueError, match="C999"):
        coverage.coverage(tmp_path)


def test_a_row_without_a_cell_is_missing(tmp_path):
    text = (NOTEBOOKS / "02_simple_rnn.ipynb").read_text(encoding="utf8")
    (tmp_path / "x.ipynb").write_text(text.replace('"C32"', '"C30"'), encoding="utf8")
    rows = {row.name: row for row in coverage.coverage(tmp_path)}
    assert rows["C32"].missing
    assert rows["C30"].shown
