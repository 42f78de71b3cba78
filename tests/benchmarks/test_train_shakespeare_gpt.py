"""The script that trained the shipped GPT: help, a tiny run, a stop and a return."""

import importlib.util
import sys
from pathlib import Path

import pytest
import torch

from course_lib.models import shakespeare_gpt
from course_lib.models.shakespeare_gpt import Settings

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "train_shakespeare_gpt.py"
TINY = "--vocabulary 78 --d-model 8 --heads 2 --layers 1 --context 16 --rows 2"
TINY += " --warm-up 2 --dropout 0.3 --letters 300 --every 1"
SIZES = {"vocabulary": 78, "d_model": 8, "heads": 2, "layers": 1, "context": 16}


@pytest.fixture
def script(monkeypatch):
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("shakespeare_training", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "shakespeare_training", module)
    spec.loader.exec_module(module)
    return module


def run(script, work: Path, steps: int, *more: str) -> dict:
    """Train the tiny model; its last checkpoint."""
    words = [*TINY.split(), "--steps", str(steps), "--work", str(work), *more]
    script.main(words)
    return torch.load(work / "checkpoint.pt", weights_only=True)


def test_help_names_every_setting(script, capsys):
    with pytest.raises(SystemExit, match="0"):
        script.main(["--help"])
    said = capsys.readouterr().out
    for name in Settings.__dataclass_fields__:
        assert f"--{name.replace('_', '-')}" in said


def test_three_steps_are_logged_and_what_is_stored_can_be_loaded(
    script, tmp_path, capsys
):
    weights = tmp_path / "tiny.safetensors"
    kept = run(script, tmp_path, 3, "--store", str(weights))
    assert kept["so far"][0] == 3
    said = capsys.readouterr().out
    assert "step 3 of 3: training" in said
    sha256 = said.split()[-1]
    model = shakespeare_gpt.load(weights, sha256, Settings(**SIZES))
    assert max(kept["best"]["embed.weight"].float().flatten()) == (
        model.embed.weight.max()
    )
    lines = (tmp_path / "tiny.tsv").read_text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["step", "1", "2", "3"]


def test_a_stopped_run_goes_on_as_if_nothing_had_been(script, tmp_path, monkeypatch):
    whole = run(script, tmp_path / "whole", 4)
    judge, calls = script.judge, []

    def stopped(*given) -> float:
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return judge(*given)

    monkeypatch.setattr(script, "judge", stopped)
    with pytest.raises(KeyboardInterrupt):
        run(script, tmp_path / "parts", 4)
    parts = run(script, tmp_path / "parts", 4)
    assert len(calls) == 5  # the third step was done twice
    for name, value in whole["model"].items():
        assert torch.equal(value, parts["model"][name]), name
    judged = [[line[:3] for line in kept["so far"][2]] for kept in (whole, parts)]
    assert judged[0] == judged[1]


def test_more_steps_only_before_the_rate_falls(script, tmp_path):
    whole = run(script, tmp_path / "whole", 10)
    begun = script.Run.new(script.Settings(**whole["settings"]))
    with pytest.raises(SystemExit, match="falls already"):
        run(script, tmp_path / "whole", 20)
    with pytest.raises(SystemExit, match="other settings"):
        run(script, tmp_path / "whole", 10, "--rate", "0.5")
    assert begun.step == 0


def test_the_rate_rises_stays_and_falls_to_nothing(script):
    settings = Settings(steps=100, warm_up=10, falling=0.4, rate=2.0)
    rates = [script.rate(step, settings) for step in range(101)]
    assert rates[:10] == pytest.approx([0.2 * n for n in range(1, 11)])
    assert rates[10:61] == pytest.approx([2.0] * 51)
    assert rates[80] == pytest.approx(1.0)
    assert rates[100] == pytest.approx(0.0)
    assert sorted(rates[60:], reverse=True) == rates[60:]


def test_nothing_is_dropped_when_it_is_judged(script):
    settings = Settings(**SIZES, dropout=0.5)
    model = script.to_train(settings)
    rows = torch.randint(78, (2, 16))
    assert not torch.equal(model(rows), model(rows))
    plain = shakespeare_gpt.blank(settings)
    plain.load_state_dict(model.state_dict())
    assert torch.equal(model.eval()(rows), plain(rows))
