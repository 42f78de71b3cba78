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


HALVES = [  # looks mended and is not: what is said about it
    (1, "F.cross_entropy(probabilities", "F.nll_loss(probabilities", "should be"),
    (1, "probabilities, targets)", "logits, targets, reduction='none')", "One number"),
    (1, "probabilities, targets)", "logits, targets, reduction='sum')", "are added"),
    (1, "F.cross_entropy(probabilities", "F.nll_loss(logits", "minus the mean logit"),
    (2, "tokens.flatten())", "tokens.roll(1, 1).flatten())", "it should be"),
    (2, "tokens.flatten())", "tokens.roll(-1, 1).flatten())", "its first token"),
    (2, "1), tokens.flatten())", "1)[:-1], tokens.flatten()[1:])", "next sequence"),
    (
        *(2, "logits.flatten(0, 1), tokens.flatten())"),
        "logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten())",
        "the other way",
    ),
    (
        3,
        "    optimiser.step",
        "    optimiser.zero_grad()\n        optimiser.step",
        "were",
    ),
    (3, "    for _", "    optimiser.zero_grad()\n    for _", "After the first step it"),
    (3, ".mean()", ".sum()", "Entry [0]"),
    (4, "(predictions -", "(predictions[0] -", "it should be"),
    (
        4,
        "(predictions - targets) ** 2).mean()",
        "(predictions[:, 0] - targets) ** 2).sum()",
        "are added",
    ),
    (5, ".mean()", ".sum(1).div(lengths).mean()", "counts more"),
    (5, ".mean()", ".sum() / (losses * is_real > 0).sum()", "a loss of 0"),
    (6, "2 ** nats.mean().item()", "nats.exp()", "One number"),
    (6, "2 ** nats.mean().item()", "nats.exp().mean()", "before the exp"),
    (7, "/ len(batches)", "* 7 / sum(map(len, batches))", "it should be"),
    (
        8,
        "optimiser.step()",
        "w.grad *= largest / w.grad.norm(); optimiser.step()",
        "st",
    ),
    (
        8,
        "optimiser.step()",
        "w.grad.clamp_(-largest, largest); optimiser.step()",
        "may",
    ),
    (9, "model(x)", "model.train()(x)", "say two things"),
    (9, "return model(x)", "torch.manual_seed(0); return model(x)", "Dropout is still"),
    (10, "loss = loss + h", "loss = loss + h; h.detach()", "gone back further"),
    (10, "w * h", "w * h.detach()", "cut at every step"),
    (10, "loss = loss + h", "loss = loss + h; h = torch.zeros(())", "empty state"),
    (10, "loss = loss + h", "loss = h; h = h.detach()", "Within chunks"),
    (11, "nn.Sequential(*[nn.L", "nn.ModuleList([nn.L", "nn.Sequential is expected"),
    (
        11,
        "nn.Linear(width, width)",
        "nn.Linear(width, width, bias=False)",
        "parameters",
    ),
    (11, "Linear(width, width)]", "Linear(width, width), nn.ReLU()]", "nothing else"),
    (12, "states[:, -1]", "states.mean(1)", "it should be"),
    (12, "[:, -1]", "[torch.arange(3), lengths - 2]", "before the last"),
    (12, "[:, -1]", "[torch.arange(3), lengths.clamp(max=4)]", "to padding"),
    (12, "states[:, -1]", "states[:, lengths - 1]", "shape (3, 2)"),
    (
        *(13, "return scaled[:split], scaled[split:]"),
        "a, b = series[:split], series[split:]\n"
        "    return (a - a.mean()) / a.std(), (b - b.mean()) / b.std()",
        "scaled by itself",
    ),
    (13, "series.mean()", "series[:split].mean()", "the spread, too"),
    (
        *(13, "return scaled[:split], scaled[split:]"),
        "a = series[:split]\n    return (a - a.mean()) / a.std(), scaled[split:]",
        "scale the test part too",
    ),
    (13, "series.std()", "series[:split].std()", "seen the future"),
    (
        *(13, "(series - series.mean()) / series.std()"),
        "(series - series[:split].min()) / series[:split].max()",
        "has mean",
    ),
    (14, "dim=1", "dim=0", "average"),
    (
        *(14, "    weights = torch.softmax(scores, dim=1)"),
        "    weights = torch.softmax(scores * math.sqrt(q.shape[-1]), dim=-1)",
        "not divided by the root",
    ),
    (
        *(14, "q.shape[-1])  # (B, N, M)\n    weights = torch.softmax(scores, dim=1)"),
        "v.shape[-1])\n    weights = torch.softmax(scores, dim=-1)",
        "it should be",
    ),
    (
        *(15, "scores.masked_fill(~is_padding[:, None, :], -math.inf)"),
        "scores + is_padding[:, None, :] * -math.inf",
        "0 times minus infinity",
    ),
    (
        *(15, "scores.masked_fill(~is_padding[:, None, :], -math.inf)"),
        "scores - 10.0 * is_padding[:, None, :]",
        "e-0",
    ),
    (15, "-math.inf)\n", "-math.inf).nan_to_num(neginf=0.0)\n", "to padding"),
    (
        *(15, "return torch.softmax(hidden, dim=-1)"),
        "return torch.softmax(scores, dim=-1) * ~is_padding[:, None, :]",
        "sum to",
    ),
    (16, "diagonal=2", "diagonal=0", "nan"),
    (
        16,
        "scores.masked_fill(later, -math.inf), dim=-1)",
        "scores, -1).tril()",
        "sum to",
    ),
    (17, "x.reshape(B, heads, T, d // heads)", "x.view(B, T, heads, -1)", "shape"),
    (
        *(17, "x.reshape(B, heads, T, d // heads)"),
        "x.view(B, T, -1, heads).permute(0, 3, 1, 2)",
        "head 1 the next 2",
    ),
    (18, "torch.arange(T)[", "torch.arange(start + 1, start + T + 1)[", "stand at"),
    (18, "[:, None] * rates", "[:, None] * rates + start", "it should be"),
    (19, "/ temperature", "* temperature", "changes nothing"),
    (19, "/ temperature", "** temperature", "log odds"),
    (20, "outputs == targets)", "(outputs == targets) | (targets <= 1))", "goes on"),
    (
        *(20, "outputs == targets)"),
        "(outputs == targets) | ((outputs == 1).cumsum(1) > 0))",
        "ends too early",
    ),
    (20, "(outputs == targets).all(dim=1)", "(outputs == targets)[:, 0]", "should be"),
    (
        *(20, "(outputs == targets).all(dim=1).double()"),
        "((outputs == targets) | (targets <= 1)).all(dim=1).float()",
        "goes on",
    ),
]


@pytest.mark.parametrize("half", HALVES, ids=lambda half: f"{half[0]} {half[2][:40]}")
def test_what_is_half_mended_is_told_what_is_still_wrong(half):
    number, wrong, other, sentence = half
    source = on_the_page()[number]
    assert wrong in source
    changed = program(source.replace(wrong, other))
    verdict = examine(silent_bugs.EXERCISES[number], changed)
    assert verdict.startswith("not yet. ")
    assert sentence in verdict.splitlines()[0]


NUMBERS_AS_FLOATS = {  # a loss may be a tensor or a float
    1: lambda logits, targets: F.cross_entropy(logits, targets).item(),
    2: lambda logits, tokens: F.cross_entropy(logits[:, :-1].mT, tokens[:, 1:]).item(),
    4: lambda predictions, targets: F.mse_loss(predictions[:, 0], targets).item(),
    5: lambda losses, n: losses[torch.arange(5) < n[:, None]].mean().item(),
}


@pytest.mark.parametrize("number", NUMBERS_AS_FLOATS)
def test_a_loss_may_be_a_float(number):
    answer = NUMBERS_AS_FLOATS[number]
    assert examine(silent_bugs.EXERCISES[number], answer) == RIGHT


def test_the_parts_of_a_series_may_be_arrays():
    def scaled(series, split):
        known = series[:split].numpy()
        new = (series.numpy() - known.mean()) / known.std(ddof=1)
        return new[:split], new[split:]

    assert examine(silent_bugs.EXERCISES[13], scaled) == RIGHT


def test_layers_of_one_memory_are_counted_once():
    def tied(width, depth):
        layers = [nn.Linear(width, width) for _ in range(depth)]
        for layer in layers[1:]:
            layer.weight.data = layers[0].weight.data
        return nn.Sequential(*layers)

    assert "parameters; these" in examine(silent_bugs.EXERCISES[11], tied)


@pytest.mark.parametrize("training", [True, False])
def test_the_solution_leaves_a_model_as_it_was(training):
    model, x = silent_bugs.EXERCISES[9].cases()[0]
    silent_bugs.EXERCISES[9].solution(model.train(training), x)
    assert all(module.training == training for module in model.modules())


def test_the_spread_may_be_divided_by_all_numbers_or_by_one_less():
    def scaled(series, split):
        known = series[:split]
        new = (series - known.mean()) / known.std(correction=0)
        return new[:split], new[split:]

    assert examine(silent_bugs.EXERCISES[13], scaled) == RIGHT


def test_some_gradients_are_to_be_clipped_and_some_are_not():
    limits = [largest for *_, largest in silent_bugs.EXERCISES[8].cases()]
    assert min(limits) < 1 < 100 <= max(limits)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_result_of_another_kind_is_told_so_and_nothing_raises(number):
    for answer in ("seven", [1, 2], torch.zeros(2, 2), 7, nn.Linear(2, 2)):
        verdict = examine(silent_bugs.EXERCISES[number], lambda *_, a=answer: a)
        assert verdict.startswith("not yet. ")


def test_the_report_counts_those_of_today_and_of_earlier_days(
    monkeypatch, tmp_path, capsys
):
    file = tmp_path / "progress.jsonl"
    monkeypatch.setenv(progress.FILE, str(file))
    monkeypatch.delenv("COURSE_QUIET", raising=False)
    monkeypatch.setattr(silent_bugs.EXERCISES, "acquitted", set())
    record.passed(silent_bugs.LECTURE, 3)
    silent_bugs.check(6, silent_bugs.EXERCISES[6].solution)
    silent_bugs.check(7, lambda batches: 0.0)
    silent_bugs.report()
    assert "2 of 20 bugs found" in capsys.readouterr().out
    assert (silent_bugs.LECTURE, 6) in record.recorded(file)
