"""The sweep of lecture 12 trains what is missing, and nothing else."""

import importlib.util
from pathlib import Path

import pytest

from course_lib.models import scaling_runs

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "scaling.py"


@pytest.fixture
def sweep():
    spec = importlib.util.spec_from_file_location("scaling_sweep", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_what_is_missing_is_trained_and_written(sweep, monkeypatch, capsys):
    rows = scaling_runs.stored()
    missing = [row for row in rows if row.unique][0]
    table = [row for row in rows if row != missing]
    monkeypatch.setattr(scaling_runs, "stored", lambda: table)
    monkeypatch.setattr(scaling_runs, "add", table.append)
    monkeypatch.setattr(
        scaling_runs,
        "trained",
        lambda setting: (None, next(row for row in rows if row.setting == setting)),
    )
    sweep.main([])
    assert table[-1] == missing
    assert len(table) == len(rows)
    assert capsys.readouterr().out.count("Row(") == 1


def test_a_stage_that_is_not_there_is_named(sweep):
    with pytest.raises(SystemExit, match="no stage"):
        sweep.main(["rate"])
