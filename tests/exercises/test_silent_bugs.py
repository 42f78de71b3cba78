"""The twenty programs: as they stand on the page, mended, and mended by halves."""

import re

import nbformat
import pytest
import torch
import torch.nn.functional as F
from lectures import NOTEBOOKS
from torch import nn

from course_lib import progress
from course_lib.exercises import record, silent_bugs
from course_lib.exercises.exercise import RIGHT, examine

NUMBERS = range(1, 21)


def on_the_page() -> dict[int, str]:
    """The programs of the notebook, with their bugs."""
    nb = nbformat.read(NOTEBOOKS / "B_silent_bugs.ipynb", as_version=4)
    found = {}
    for cell in nb.cells:
        if number := re.search(r"^exercises\.check\((\d+), (\w+)\)", cell.source, re.M):
            found[int(number[1])] = cell.source
    return found


def program(source: str):
    """The function that a cell defines."""
    names = {"torch": torch, "F": F, "nn": nn, "math": __import__("math")}
    code, call = source.split("\n\n\nexercises.check(")
    exec(code, names)
    return names[re.search(r"\d+, (\w+)", call)[1]]


def test_there_are_twenty_and_each_is_asked_for_once():
    assert sorted(on_the_page()) == list(NUMBERS)
    assert [exercise.number for exercise in silent_bugs.EXERCISES] == list(NUMBERS)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_program_runs_and_is_not_acquitted_as_it_stands(number):
    verdict = examine(silent_bugs.EXERCISES[number], program(on_the_page()[number]))
    assert verdict.startswith("not yet. ")
    clue = verdict.splitlines()[0]
    assert "raised" not in verdict
    assert len(clue) > 40  # the property that is broken, in a sentence


MENDS = {  # other lines for the wrong one: any way of mending will do
    1: ("F.cross_entropy(probabilities,", "F.nll_loss(probabilities.log(),"),
    2: (
        "F.cross_entropy(logits.flatten(0, 1), tokens.flatten())",
        "F.cross_entropy(logits.mT[..., :-1], tokens[:, 1:])",
    ),
    3: ("    ((x @ w", "    w.grad = None\n        ((x @ w"),
    4: ("targets) **", "targets[:, None]) **"),
    5: (".mean()", ".sum() / lengths.sum()"),
    6: ("2 ** nats.mean().item()", "nats.mean().exp()"),
    7: (
        "sum(batch.mean().item() for batch in batches) / len(batches)",
        "sum(b.sum().item() for b in batches) / sum(b.numel() for b in batches)",
    ),
    8: (
        "optimiser.step()\n    nn.utils.clip_grad_norm_([w], largest)",
        "nn.utils.clip_grad_norm_([w], largest)\n    optimiser.step()",
    ),
    9: ("    with torch", "    model.train(False)\n    with torch"),
    10: ("loss = loss + h", "loss = loss + h\n        h = h.detach()"),
    11: (
        "*[nn.Linear(width, width)] * depth",
        "*[nn.Linear(width, width) for i in range(depth)]",
    ),
    12: (
        "states[:, -1]",
        "torch.stack([s[n - 1] for s, n in zip(states, lengths)])",
    ),
    13: (
        "(series - series.mean()) / series.std()",
        "(series - series[:split].mean()) / series[:split].std()",
    ),
    14: ("dim=1", "dim=2"),
    15: ("~is_padding", "is_padding"),
    16: ("diagonal=2", "diagonal=1"),
    17: (
        "x.reshape(B, heads, T, d // heads)",
        "torch.stack(x.chunk(heads, dim=-1), dim=1)",
    ),
    18: ("torch.arange(T)[", "torch.arange(start, start + T)["),
    19: (
        "torch.softmax(logits, dim=-1) / temperature",
        "torch.softmax(logits, dim=-1) ** (1 / temperature)",
    ),
    20: (
        "(outputs == targets).all",
        "((outputs == targets) | (targets == 0)).all",
    ),
}


@pytest.mark.parametrize("number", NUMBERS)
def test_another_way_of_mending_is_acquitted(number):
    wrong, mended = MENDS[number]
    source = on_the_page()[number]
    assert wrong in source
    changed = program(source.replace(wrong, mended))
    assert examine(silent_bugs.EXERCISES[number], changed) == RIGHT


HALVES = {  # looks mended and is not: what is said about it
    2: ("tokens.flatten())", "tokens.roll(1, 1).flatten())", "it should be"),
    5: (".mean()", ".sum(1).div(lengths).mean()", "counts more"),
    9: ("model(x)", "model.train()(x)", "say two things"),
    10: ("h = torch.tanh", "h = torch.tanh", "gone back further"),
    12: ("states[:, -1]", "states.mean(1)", "it should be"),
    13: (
        "return scaled[:split], scaled[split:]",
        "a, b = series[:split], series[split:]\n"
        "    return (a - a.mean()) / a.std(), (b - b.mean()) / b.std()",
        "scaled by itself",
    ),
    14: ("dim=1", "dim=0", "average"),
    16: ("diagonal=2", "diagonal=0", "nan"),
    17: ("x.reshape(B, heads, T, d // heads)", "x.view(B, T, heads, -1)", "shape"),
    19: ("/ temperature", "* temperature", "changes nothing"),
}


@pytest.mark.parametrize("number", HALVES)
def test_what_is_half_mended_is_told_what_is_still_wrong(number):
    wrong, other, sentence = HALVES[number]
    changed = program(on_the_page()[number].replace(wrong, other))
    assert sentence in examine(silent_bugs.EXERCISES[number], changed)


def test_the_report_counts_those_of_today_and_of_earlier_days(
    monkeypatch, tmp_path, capsys
):
    file = tmp_path / "progress.jsonl"
    monkeypatch.setenv(progress.FILE, str(file))
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    monkeypatch.setattr(silent_bugs, "_acquitted", set())
    record.passed(silent_bugs.LECTURE, 3)
    silent_bugs.check(6, silent_bugs.EXERCISES[6].solution)
    silent_bugs.check(7, lambda batches: 0.0)
    silent_bugs.report()
    assert "2 of 20 bugs found" in capsys.readouterr().out
    assert (silent_bugs.LECTURE, 6) in record.recorded(file)
