"""The script behind the thread's table runs, and enters what it measured."""

import importlib.util
from pathlib import Path

import pytest

from course_lib import running_task

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "running_task.py"


@pytest.fixture
def script(monkeypatch):
    """The script as a module; what it sets for its own threads is put back."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(variable, "1")
    spec = importlib.util.spec_from_file_location("thread_rows", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(importlib.sys.modules, "thread_rows", module)
    spec.loader.exec_module(module)
    return module


def test_two_seeds_of_one_model_are_trained_tested_and_entered(
    script, tmp_path, capsys
):
    path = tmp_path / "table.tsv"
    words = ["plain LSTM", "--steps", "2", "--table", str(path), "--seeds", "0", "3"]
    script.main(words)
    first, second = running_task.runs(path)
    assert (first.lecture, first.model, first.seeds) == ("07", "plain LSTM", (0,))
    assert (second.seeds, second.steps, second.pairs) == ((3,), 2, 64)
    assert "plain LSTM" in capsys.readouterr().out
    assert script.run("plain LSTM", 3, steps=2).exact == second.exact


def test_every_row_of_the_kept_table_can_be_measured_again(script):
    for row in running_task.recorded():
        entry = script.MODELS[row.model]
        assert entry.lecture == row.lecture
        steps = entry.options.get("steps", running_task.STEPS)
        assert row.steps == steps
        assert row.pairs == steps * entry.options.get("batch", running_task.BATCH)


def test_an_unknown_model_is_refused_and_the_known_ones_are_named(script, capsys):
    for words, code in (([], 0), (["plain lstm"], 2)):
        with pytest.raises(SystemExit) as stopped:
            script.main(words)
        assert stopped.value.code == code
        assert "plain LSTM, input reversed" in capsys.readouterr().err
