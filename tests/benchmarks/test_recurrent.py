"""The benchmark of the recurrent cells runs, compares like with like, and can fail."""

import importlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "recurrent.py"
BEGIN, END = "<!-- recurrent: begin -->", "<!-- recurrent: end -->"
ROW = (
    r"\| (NumPy|library) [^|]+\| [^|]+\| [\d.]+ \| [\d.]+ \| [\d.]+ \| at most [\d.]+: "
)


def run(*arguments: str | Path) -> subprocess.CompletedProcess:
    command = [sys.executable, SCRIPT, "--repeats", "1", "--size", "2", "3", "5"]
    command += ["--letters", "3", "5", "7"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, env=environment
    )


def test_writes_its_table_between_the_marks_and_nothing_else(tmp_path):
    page = tmp_path / "README.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    done = run("--write", "--readme", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\nForward and backward, batch 2, 3 steps")
    assert text.endswith(f"\n{END}\nafter\n")
    assert "old" not in text
    assert "\nTraining step on letters, batch 3, 5 steps, width 7" in text
    assert len(re.findall(ROW, text)) == 11
    assert done.stdout.strip() in text


@pytest.fixture
def benchmark(monkeypatch):
    """The script as a module; what it sets for its own threads is put back."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(variable, "1")
    monkeypatch.syspath_prepend(SCRIPT.parent)
    return importlib.import_module("recurrent")


def test_two_programs_that_disagree_are_not_timed(benchmark):
    table = benchmark.rows(2, 3, 5)
    benchmark.check_agreement(table[0])
    wrong = benchmark.Row("RNN", "LSTM", 1, table[0].run_ours, table[1].run_theirs)
    with pytest.raises(SystemExit, match="RNN and LSTM disagree in h .* was timed"):
        benchmark.check_agreement(wrong)


def test_letter_models_agree_before_they_are_timed(benchmark):
    for row in benchmark.letter_rows(3, 5, 7):
        benchmark.check_agreement(row)  # the first step, from the same weights
        benchmark.check_agreement(row)  # and the one after it
    rnn, lstm = benchmark.letter_rows(3, 5, 7)
    wrong = replace(rnn, run_theirs=lstm.run_theirs)
    with pytest.raises(SystemExit, match="disagree in loss .* was timed"):
        benchmark.check_agreement(wrong)


def test_bad_numbers_are_refused(benchmark, capsys):
    with pytest.raises(SystemExit) as stopped:
        benchmark.main(["--repeats", "0"])
    assert stopped.value.code == 2
    message = "repeats 0, size (32, 100, 64) and letters (32, 50, 128) must be >= 1"
    assert message in capsys.readouterr().err


def test_the_page_states_every_goal():
    text = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    table = text.split(BEGIN)[1].split(END)[0]
    assert "batch 32, 100 steps, width 64" in table
    assert "on letters, batch 32, 50 steps, width 128" in table
    assert len(re.findall(ROW, table)) == 11
