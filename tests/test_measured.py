"""Measured values are printed with their bound, and the bound can be broken."""

import math
import re

import numpy as np
import pytest
import torch
from lectures import LECTURES, code_cells

from course_lib.check import holds, measured, table
from course_lib.measured import SIGN


def printed(capsys, *arguments, **bound) -> str:
    holds(*arguments, **bound)
    return capsys.readouterr().out


LINES = [
    ((1.6234,), {"below": 1.7}, "x ≈ 1.62 (below 1.70)"),
    ((-1.6234,), {"above": -2}, "x ≈ -1.62 (above -2)"),
    ((0.0,), {"at_most": 0}, "x ≈ 0 (at most 0)"),
    ((7,), {"of": 8, "at_least": 6}, "x ≈ 7 of 8 (at least 6)"),
    ((0.873,), {"above": 0.8, "unit": "%"}, "x ≈ 87.3 % (above 80 %)"),
    ((1,), {"above": 0.8, "unit": "%"}, "x ≈ 100 % (above 80 %)"),
    ((1.4321,), {"below": 3, "unit": "s"}, "x ≈ 1.43 s (below 3 s)"),
    ((3.14e-12,), {"below": 1e-10}, "x ≈ 3.1e-12 (below 1e-10)"),
    ((123456,), {"below": 200_000}, "x ≈ 123,456 (below 200,000)"),
    ((12345.6,), {"between": (9e3, 2e4)}, "x ≈ 12,346 (between 9,000 and 20,000)"),
    ((3.2e9,), {"above": 1e9}, "x ≈ 3.2e+09 (above 1e+09)"),
    ((0.0123,), {"below": 0.05}, "x ≈ 0.0123 (below 0.05)"),
    (([0.51, 0.4],), {"below": 0.6}, "x ≈ 0.510, 0.400 (all 2 below 0.60)"),
    ((np.array([3, 5]),), {"of": 7, "at_least": 2}, "x ≈ 3, 5 of 7 (all 2 at least 2)"),
    ((torch.tensor(0.25),), {"below": 1}, "x ≈ 0.250 (below 1)"),
    ((np.float32(0.25),), {"below": 0.5}, "x ≈ 0.250 (below 0.50)"),
]


@pytest.mark.parametrize(("value", "bound", "line"), LINES)
def test_a_value_is_printed_with_its_bound(value, bound, line, capsys):
    assert printed(capsys, "x", *value, **bound) == line + "\n"


def test_a_value_close_to_its_bound_is_shown_on_its_own_side(capsys):
    """Three digits of 1.6996 would read: 1.70 (below 1.70)."""
    assert "≈ 1.6996 (below 1.70)" in printed(capsys, "x", 1.6996, below=1.7)
    assert "≈ 80.01 % (above 80 %)" in printed(capsys, "x", 0.8001, above=0.8, unit="%")


BROKEN = [
    (1.7, {"below": 1.7}, "x ≈ 1.70: this is not below 1.70"),
    (1.2, {"above": 1.5}, "x ≈ 1.20: this is not above 1.50"),
    (5, {"of": 8, "at_least": 6}, "x ≈ 5 of 8: this is not at least 6"),
    (9, {"at_most": 8}, "x ≈ 9: this is not at most 8"),
    (2.5, {"between": (1, 2)}, "x ≈ 2.50: this is not between 1 and 2"),
    (0.5, {"between": (1, 2)}, "x ≈ 0.500: this is not between 1 and 2"),
    ([0.1, 0.9], {"below": 0.6}, "x ≈ 0.900: this is not below 0.60"),
    (math.nan, {"below": 1}, "x ≈ nan: this is not below 1"),
    (math.nan, {"above": 1}, "x ≈ nan: this is not above 1"),
    (math.inf, {"above": 1}, "x ≈ inf: this is not above 1"),
    (-math.inf, {"below": 1}, "x ≈ -inf: this is not below 1"),
    (math.nan, {"between": (0, 1)}, "x ≈ nan: this is not between 0 and 1"),
]


@pytest.mark.parametrize(("value", "bound", "message"), BROKEN)
def test_a_broken_bound_stops_with_value_and_bound(value, bound, message, capsys):
    with pytest.raises(AssertionError, match=f"^{re.escape(message)}$"):
        holds("x", value, **bound)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("bound", [{}, {"below": 1, "above": 0}])
def test_a_value_has_exactly_one_bound(bound):
    with pytest.raises(ValueError, match="exactly one bound"):
        holds("x", 0.5, **bound)


@pytest.mark.parametrize("value", [True, "1.6", None, np.bool_(True)])
def test_only_numbers_are_measured(value):
    with pytest.raises(TypeError, match="no measured number"):
        holds("x", value, below=2)


def test_a_count_is_whole_and_not_above_its_total():
    for wrong in (3.5, 9):
        with pytest.raises(ValueError, match="counts up to 8"):
            holds("x", wrong, of=8, at_least=2)
    with pytest.raises(ValueError, match="no value"):
        holds("x", [], below=2)


def test_nothing_is_returned_that_a_cell_would_store():
    assert holds("x", 1.5, below=2) is None
    assert table({"x": measured([1.5], below=2)}) is None


def test_a_table_has_bounds_in_its_header_or_beside_the_values(capsys):
    table(
        {
            "model": ["pairs", "LSTM"],
            "weights": [729, 25_013],
            "solved": measured([3, 8], of=8, at_least=2),
            "loss": measured([2.45, 1.62], above=[2.3, None], below=[None, 1.7]),
            "right": measured([0.998, 0.41], above=0.4, unit="%"),
        }
    )
    assert capsys.readouterr().out.splitlines() == [
        "model  weights  solved           loss                     right",
        "                (at least 2)                              (above 40 %)",
        "pairs      729  ≈        3 of 8  ≈     2.45 (above 2.30)  ≈     99.8 %",
        "LSTM    25,013  ≈        8 of 8  ≈     1.62 (below 1.70)  ≈     41.0 %",
    ]


def test_decimal_points_of_a_column_stand_together(capsys):
    table({"x": measured([0.4, 12.3, 1.25], below=60)})
    assert [line[2:] for line in capsys.readouterr().out.splitlines()[2:]] == [
        "    0.40",
        "   12.30",
        "    1.25",
    ]
    table({"x": measured([3e-12, 0.4], below=60)})  # too far apart for that
    assert "3.0e-12" in capsys.readouterr().out


def test_a_table_can_fail_and_then_prints_nothing(capsys):
    with pytest.raises(AssertionError, match="loss ≈ 1.80: this is not below 1.70"):
        table({"loss": measured([1.6, 1.8], below=1.7)})
    with pytest.raises(AssertionError, match="loss ≈ 2.20: this is not above 2.30"):
        table({"loss": measured([2.2, 1.6], above=[2.3, None], below=[None, 1.7])})
    assert capsys.readouterr().out == ""


def test_every_row_needs_a_bound_and_columns_are_equally_long():
    with pytest.raises(ValueError, match="exactly one bound"):
        measured([1.6, 1.8], below=[1.7, None])
    with pytest.raises(ValueError, match="2 values, but 3 for below"):
        measured([1.6, 1.8], below=[1.7, 1.9, 2.0])
    with pytest.raises(ValueError, match="different numbers of rows"):
        table({"gap": [1, 2, 3], "loss": measured([1.6, 1.8], below=2)})
    with pytest.raises(ValueError, match="one for each row"):
        holds("x", [1.6, 1.8], below=[1.7, 1.9])


def test_nothing_around_the_value_depends_on_it(capsys):
    """Tables from two processors differ in the digits after the sign only."""
    seen = set()
    for values in ([9.99, 3e-9], [10.01, 0.5], [1234.5, -7.25]):
        table({"x": measured(values, below=2e3), "gap": [2, 3]})
        text = capsys.readouterr().out
        seen.add(re.sub(rf"{SIGN} *\S+", f"{SIGN} ", text))
    assert len(seen) == 1


SPELLINGS = (SIGN, r"\u2248", "ALMOST EQUAL TO")


def prints_the_sign(code: str) -> bool:
    return any(spelling.lower() in code.lower() for spelling in SPELLINGS)


def test_nothing_else_prints_the_sign(project_root):
    """What follows the sign is not compared, so it must have been asserted."""
    for code in (f'print("{SIGN} 3")', r'"\u2248"', r'"\N{Almost equal to}"'):
        assert prints_the_sign(code)
    for path in LECTURES:
        for cell in code_cells(path):
            assert not prints_the_sign(cell.source), f"{path.stem}, cell {cell.id}"
    for path in sorted((project_root / "course_lib").rglob("*.py")):
        if path.name != "measured.py":
            assert not prints_the_sign(path.read_text(encoding="utf8")), path
