"""The sweep of lecture 12: what is read, what is stored, what was chosen on what."""

import numpy as np
import pytest
import torch

from course_lib.data import shakespeare
from course_lib.models import scaling_runs
from course_lib.models.scaling_runs import (
    BUDGETS,
    CONTEXT,
    FEW,
    FEW_WIDTHS,
    HELD_OUT,
    RATES,
    ROWS,
    STAGES,
    WIDTHS,
    Row,
    Setting,
)

WINDOWS = (len(shakespeare.letters().train) - 1) // CONTEXT


def test_no_window_is_read_twice_unless_there_are_few():
    order = scaling_runs.read_order(WINDOWS, Setting(8, BUDGETS[-1], 0.1))
    assert order.shape == (BUDGETS[-1] // CONTEXT // ROWS, ROWS)
    assert len(order.unique()) == order.numel()
    again = scaling_runs.read_order(WINDOWS, Setting(8, BUDGETS[0], 0.1, unique=FEW))
    assert len(again.unique()) == FEW // CONTEXT
    counts = torch.bincount(again.flatten())
    assert set(counts[counts > 0].tolist()) == {BUDGETS[0] // FEW}


def test_a_budget_begins_with_all_of_a_smaller_one_and_a_seed_changes_it():
    short, long = (
        scaling_runs.read_order(WINDOWS, Setting(8, D, 0.1)) for D in BUDGETS[:2]
    )
    assert torch.equal(long[: len(short)], short)
    other = scaling_runs.read_order(WINDOWS, Setting(8, BUDGETS[0], 0.1, seed=1))
    assert not torch.equal(other, short)


def test_a_run_learns_and_is_written_as_it_is_read(tmp_path):
    _, row = scaling_runs.trained(Setting(8, 17 * ROWS * CONTEXT, 0.08))
    assert row.validation < np.log(78) - 0.5
    path = tmp_path / "table.tsv"
    scaling_runs.add(row, path)
    scaling_runs.add(row, path)
    assert scaling_runs.stored(path) == [row, row]


def test_nothing_is_stored_twice_and_nothing_was_planned_otherwise():
    settings = [row.setting for row in scaling_runs.stored()]
    assert len(set(settings)) == len(settings)
    planned = {setting for stage in STAGES.values() for setting in stage}
    assert set(settings) <= planned


def test_every_width_has_every_budget_and_so_has_the_one_held_out():
    rows = scaling_runs.by_rule()
    assert HELD_OUT not in WIDTHS
    pairs = {(row.width, row.letters) for row in rows}
    assert pairs == {(w, D) for w in (*WIDTHS, HELD_OUT) for D in BUDGETS}
    few = {(row.width, row.unique) for row in scaling_runs.stored() if row.unique}
    assert few == {(w, FEW) for w in FEW_WIDTHS}


def test_the_rule_is_near_the_best_rate_of_those_tried():
    found: dict[int, dict[float, Row]] = {}
    for row in scaling_runs.stored():
        if row.letters == BUDGETS[1] and row.seed == 0 and not row.unique:
            found.setdefault(row.width, {})[row.rate] = row
    for width in WIDTHS:
        losses = {rate: row.validation for rate, row in found[width].items()}
        assert set(RATES[width]) <= set(losses)
        assert losses[scaling_runs.rate(width)] < min(losses.values()) + 0.03


@pytest.mark.parametrize("row", scaling_runs.stored()[::9], ids=lambda r: str(r.width))
def test_sizes_are_those_of_the_models(row):
    assert scaling_runs.blank(row.width).size == row.size


def test_what_the_lecture_says_of_the_sweep_is_what_is_stored():
    first = {(r.width, r.letters): r.test for r in scaling_runs.by_rule()}
    second = {(r.width, r.letters): r.test for r in scaling_runs.by_rule(seed=1)}
    gains = [first[64, D] - first[HELD_OUT, D] for D in BUDGETS]
    assert gains == pytest.approx([0.019, 0.013, 0.011, 0.052], abs=6e-4)
    gains = [second[64, D] - second[HELD_OUT, D] for D in BUDGETS[:2]]
    assert gains == pytest.approx([0.025, 0.019], abs=6e-4)
    for width, gain in ((8, 0.11), (64, 0.34)):
        assert first[width, BUDGETS[0]] - first[width, BUDGETS[-1]] == pytest.approx(
            gain, abs=6e-3
        )
    few = {r.width: r.test for r in scaling_runs.stored() if r.unique}
    harm = [few[w] - first[w, BUDGETS[2]] for w in FEW_WIDTHS]
    assert harm == pytest.approx([0.03, 0.10, 0.21], abs=6e-3)
    rates = {
        r.rate: r.test
        for r in scaling_runs.stored()
        if (r.width, r.letters, r.seed) == (HELD_OUT, BUDGETS[0], 0)
    }
    assert rates == pytest.approx({0.0025: 2.078, 0.005: 2.079, 0.01: 2.220}, abs=6e-4)
    total = sum(row.seconds for row in scaling_runs.stored())
    assert 13 * 60 < total < 19 * 60
