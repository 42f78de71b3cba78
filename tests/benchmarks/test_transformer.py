"""The benchmark of the Transformer runs, compares like with like, and can fail."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "transformer.py"


def test_a_small_run_prints_four_tables(tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- transformer: begin -->\n<!-- transformer: end -->\n")
    words = ["--repeats", "1", "--size", "2", "3", "8", "--lengths", "5"]
    words += ["--gpt", "2,5,8", "3,7,12", "--budgets", "2"]
    done = subprocess.run(
        [sys.executable, SCRIPT, *words, "--write", "--readme", page],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COURSE_QUIET": "1"},
    )
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert done.stdout.strip() in text
    ratio = r"\| (pre|post)-norm \| [\d.]+ \| [\d.]+ \| [\d.]+ \| at most 1.1: "
    assert len(re.findall(ratio, text)) == 2
    step = r"\| (2, 5, 8|3, 7, 12) \| [\d.]+ \| [\d.]+ \| [\d.]+ \| at most 1: "
    assert len(re.findall(step, text)) == 2
    assert len(re.findall(r"\| (8|16) \| 5 \| \d+ \| \d+ \| [\d.]+ \|", text)) == 2
    assert len(re.findall(r"\| (07|08|10) .* \| 2 \| not in \d+ \| ", text)) == 4


@pytest.fixture
def benchmark(monkeypatch):
    """The script as a module; what it sets for its own threads is put back."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(variable, "1")
    monkeypatch.syspath_prepend(SCRIPT.parent)
    return importlib.import_module("transformer")


def test_two_layers_that_disagree_are_not_timed(benchmark):
    one, two = (lambda: (torch.ones(3),)), (lambda: (torch.full((3,), 1.01),))
    benchmark.agree("layers", (one, one))
    with pytest.raises(SystemExit, match="the layers disagree by .* was timed"):
        benchmark.agree("layers", (one, two))


def test_a_longer_training_is_tried_until_one_is_enough(benchmark, monkeypatch):
    shares = iter([0.5, 0.98, 0.995, 1.0])
    result = lambda *_: type("Result", (), {"exact": next(shares)})  # noqa: E731
    monkeypatch.setattr(benchmark.running_task, "fit", lambda *a, **k: [])
    monkeypatch.setattr(benchmark.running_task, "measure", result)
    steps, _, exact = benchmark.seconds_to_reach(lambda: None, {}, (1, 2, 3, 4))
    assert (steps, exact) == (3, 0.995)


def test_bad_numbers_are_refused(benchmark, capsys):
    with pytest.raises(SystemExit) as stopped:
        benchmark.main(["--repeats", "0"])
    assert stopped.value.code == 2
    assert "must be at least 1" in capsys.readouterr().err


def test_a_gpt_with_another_gradient_is_not_timed(benchmark, monkeypatch):
    renamed = benchmark.gpt_step.from_gpt2.renamed
    benchmark.gpt_step.pair(2, 5, 8)
    calls = iter(range(2))

    def spoiled(weights, layers):
        found = renamed(weights, layers)
        if next(calls):  # the weights are copied first, then the gradients compared
            found["embed.weight"] = 1.1 * found["embed.weight"]
        return found

    monkeypatch.setattr(benchmark.gpt_step.from_gpt2, "renamed", spoiled)
    with pytest.raises(SystemExit, match=r"gradients of embed.weight differ"):
        benchmark.gpt_step.pair(2, 5, 8)


def test_a_gpt_with_another_loss_is_not_timed(benchmark, monkeypatch):
    gpt = benchmark.gpt_step.from_gpt2.gpt

    def other(theirs):
        made = gpt(theirs)
        made.norm.weight.data *= 1.1
        return made

    monkeypatch.setattr(benchmark.gpt_step.from_gpt2, "gpt", other)
    with pytest.raises(SystemExit, match="the losses differ by .* nothing was timed"):
        benchmark.gpt_step.pair(2, 5, 8)


@pytest.mark.parametrize("shape", ["12,64", "12,64,130", "0,64,128", "many"])
def test_a_shape_that_cannot_be_is_refused(benchmark, shape, capsys):
    with pytest.raises(SystemExit) as stopped:
        benchmark.main(["--gpt", shape])
    assert stopped.value.code == 2
    assert "invalid gpt_shape value" in capsys.readouterr().err
