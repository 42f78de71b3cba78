"""The sweep of lecture 11 runs and stores what it measured."""

import importlib.util
from pathlib import Path

from course_lib.models import lookup

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "lookup.py"


def test_every_variant_is_trained_tested_and_stored(tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("lookup_sweep", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    path = tmp_path / "sweep.tsv"
    script.main(["--seeds", "3", "--steps", "1", "--table", str(path)])
    runs = lookup.runs(path)
    assert [run.model for run in runs] == list(script.VARIANTS)
    assert {run.seed for run in runs} == {3}
    stored = {(run.model, run.parameters) for run in lookup.runs()}
    assert {(run.model, run.parameters) for run in runs} == stored
    assert "two layers" in capsys.readouterr().out
