"""What lecture 12b builds on its page is what the library has."""

import nbformat
import numpy as np
import pytest
import torch
from lectures import NOTEBOOKS

from course_lib.check import max_difference
from course_lib.data import requests
from course_lib.exercises.assistants import EXERCISES
from course_lib.models import low_rank, requests_gpt, speculative
from course_lib.seeds import set_seed


@pytest.fixture(scope="module")
def page() -> dict:
    """What these cells define, each up to the words that end it."""
    nb = nbformat.read(NOTEBOOKS / "12b_assistants.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    parts = {
        "setup": "",
        "tune": "\n\n\ntuned = ",
        "lora-code": "",
        "world": "\n\n\npi_ref",
        "quantise": "\n\n\ndef quantised",
        "spec-code": "",
    }
    names: dict = {}
    for cell, stop in parts.items():
        exec(source[cell].partition(stop)[0] if stop else source[cell], names)
    return names


def test_the_adapter_is_the_librarys(page):
    base, tokens = requests_gpt.load(), torch.randint(8, 20, (2, 9))
    made = []
    for build in (page["with_low_rank"], low_rank.with_low_rank):
        set_seed(0)
        adapted = build(base, 3)
        for parameter in low_rank.trained(adapted):
            torch.nn.init.normal_(parameter, std=0.1)
        made.append(adapted(tokens))
    assert max_difference(*made) == 0
    assert max_difference(made[0], base(tokens)) > 1e-3


def test_a_round_of_the_page_is_a_round_of_the_library(page):
    dice = torch.Generator()
    for seed in range(40):
        dice.manual_seed(seed)
        p, q = (torch.rand(n, 7, generator=dice) for n in (4, 3))
        p, q = p / p.sum(1, keepdim=True), q / q.sum(1, keepdim=True)
        drafts = torch.multinomial(q, 1, generator=dice)[:, 0].tolist()
        rounds = []
        for check in (page["checked"], speculative.checked):
            dice.manual_seed(1000 + seed)
            rounds.append(check(p, q, drafts, dice))
        assert rounds[0] == rounds[1]


def test_tuning_on_the_page_minimises_the_librarys_loss(page):
    """One step from the same weights, on a batch that holds every row alike."""
    given = requests.drawn(np.random.default_rng(0), 1) * 5
    base = requests_gpt.load()
    steps = [page["tune"](requests_gpt.load(), given, True, 1e-3, 2)]
    steps.append(requests_gpt.tune(requests_gpt.load(), given, 1e-3, steps=2))
    for ours, library, old in zip(
        *(m.parameters() for m in (*steps, base)), strict=True
    ):
        assert max_difference(ours, library) < 1e-6
        assert not torch.equal(ours, old)


def test_rounding_is_that_of_the_exercise(page):
    W = torch.randn(5, 12, dtype=torch.float64)
    for bits, size in ((8, 12), (4, 3), (4, 60)):
        rounded, groups = page["rounded"](W, bits, size)
        expected = EXERCISES[6].solution(W.numpy(), bits, size)
        assert max_difference(rounded, expected) < 1e-12
        assert groups == 60 // size


def test_all_answers_are_listed_and_the_reference_adds_up(page):
    ref, facts, praise = page["all_answers"](4)
    assert len(ref) == 3**4
    assert ref.sum().item() == pytest.approx(1)
    assert (ref @ facts).item() == pytest.approx(4 * 0.25)
    assert (ref @ praise).item() == pytest.approx(4 * 0.08)
