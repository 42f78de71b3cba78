"""The script behind lecture 08's tables trains models of one size, and enters them."""

import importlib.util
from pathlib import Path

import pytest

from course_lib import attention_runs, running_task

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "attention_runs.py"


@pytest.fixture
def script(monkeypatch):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("attention_rows", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(importlib.sys.modules, "attention_rows", module)
    spec.loader.exec_module(module)
    return module


def test_the_kept_runs_are_those_of_the_script(script):
    data = running_task.load()
    for run in attention_runs.ablation():
        model = script.make(run.model, len(data.english), len(data.french))
        assert sum(p.numel() for p in model.parameters()) == run.parameters
        context = script.MODELS[run.model].get("context", "attention")
        assert run.steps == script.STEPS[context]


def test_a_run_is_trained_and_entered(script, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(attention_runs, "ABLATION", tmp_path / "table.tsv")
    monkeypatch.setattr(script, "STEPS", {"last": 1})
    script.main(["thread", "--seeds", "5", "--models", "last state, one way"])
    (run,) = running_task.runs(tmp_path / "table.tsv")
    assert (run.model, run.seeds, run.steps) == ("last state, one way", (5,), 1)
    assert "last state, one way" in capsys.readouterr().out


def test_alignments_are_measured_and_written(script, tmp_path, monkeypatch):
    monkeypatch.setattr(attention_runs, "ALIGNMENTS", tmp_path / "table.tsv")
    row = script.on_the_grammar("attention, one way", seed=0, steps=1)
    assert 0 <= row.exact <= row.all <= 1
    script.write_alignments([row])
    (kept,) = attention_runs.alignments(steps=1)
    assert kept.model == row.model
    assert kept.all == pytest.approx(row.all, abs=1e-4)
