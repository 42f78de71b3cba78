"""The script behind the tables of lectures 13 and 13b trains every kind of run."""

import importlib.util
from pathlib import Path

import pytest

from course_lib.models import canaries, canary_runs

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "memorisation.py"


@pytest.fixture
def script(monkeypatch):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("memorisation_runs", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_one_seed_trains_every_kind_and_stores_nothing(script, monkeypatch, capsys):
    monkeypatch.setattr(canaries, "STEPS", 1)
    monkeypatch.setattr(canary_runs, "write", None)  # a call would fail
    monkeypatch.setattr(script, "LOOKS", (0, 1))
    monkeypatch.setattr(script, "STOPS", (1,))
    runs, looks = script.runs_of(3)
    kept = {(run.kind, run.d, run.sigma) for run in canary_runs.read()}
    kept -= {(f"stopped at {step}", 32, 0.0) for step in canary_runs.STOPS}
    kept |= {("stopped at 1", 32, 0.0)}
    assert {(run.kind, run.d, run.sigma) for run in runs} == kept
    assert [(look.seed, look.step) for look in looks] == [(3, 0), (3, 1)]
    script.main(["--seeds", "3"])
    assert len(capsys.readouterr().out.splitlines()) == len(runs)
