"""What lectures 13 and 13b build is what the library has."""

import nbformat
import numpy as np
import pytest
import torch
from lectures import NOTEBOOKS

from course_lib.models import canaries, privacy


def page_of(name: str, parts: dict[str, str], **names) -> dict:
    """What these cells of a lecture define, each up to the words that end it."""
    nb = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    source = {cell.id: cell.source for cell in nb.cells}
    exec(source["setup"].partition("\nrng =")[0], names)
    for cell, stop in parts.items():
        exec(source[cell].partition(stop)[0] if stop else source[cell], names)
    return names


@pytest.fixture(scope="module")
def page() -> dict:
    parts = {
        "canaries-code": "\n\n\nlines = ",
        "model-code": "\n\n\nprint(",
        "loss-code": "",
        "train": "",
        "exposure-code": "\n\n\neight = ",
        "tree-code": "",
        "rolling-code": "",
        "dedup-code": "\n\n\npair = ",
    }
    return page_of("13_memorisation", parts, COPIES=canaries.COPIES)


@pytest.fixture(scope="module")
def private() -> dict:
    parts = {
        "sgd-gradients": "",
        "private-step": "\n\n\nquiet",
        "private-train": "\n\n\nprivate = ",
        "renyi-code": "",
        "convert-check": "\n\n\nsettings = ",
    }
    return page_of("13b_private_training", parts)


def test_text_and_secrets_are_the_librarys(page):
    assert (page["real_lines"], page["new_lines"]) == canaries.text()
    for seed in (0, 5):
        assert page["plant"](seed) == canaries.plant(seed)
        lines = canaries.plant(seed)
        expected = canaries.without_repetitions(lines, 20)
        assert page["without_repetitions"](lines, 20) == expected


def test_training_gives_the_same_weights(page, monkeypatch):
    monkeypatch.setattr(canaries, "STEPS", 2)
    ours = page["learn"](canaries.plant(1), 1, steps=2)
    theirs = canaries.learn(canaries.plant(1), 1)
    for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(a, b)
    prompt = canaries.PROMPTS[3]
    scores = page["code_scores"](ours, prompt)
    assert np.array_equal(scores, canaries.code_scores(theirs, prompt))
    assert page["exposure"](scores, 471) == privacy.exposure(scores, 471)


def test_private_training_gives_the_same_weights(private, monkeypatch):
    monkeypatch.setattr(canaries, "STEPS", 2)
    ours = private["learn_privately"](canaries.plant(1), 1, 1.0, steps=2)
    theirs = canaries.learn_privately(canaries.plant(1), 1, 1.0)
    for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.allclose(a, b, atol=1e-6)


@pytest.mark.parametrize("eps", [0.0, 0.1, 1.0, 3.0])
def test_the_largest_area_allowed_is_the_bound_of_equation_2(eps):
    a = np.linspace(0, 1, 200_001)
    h = np.minimum(np.exp(eps) * a, 1 - np.exp(-eps) * (1 - a))  # delta = 0
    bound = np.exp(eps) / (1 + np.exp(eps))
    assert np.trapezoid(h, a) == pytest.approx(bound, abs=1e-9)
    assert ((h + 1 - a) / 2).max() == pytest.approx(bound, abs=1e-5)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 4.0])
def test_the_accounting_is_the_librarys(private, sigma):
    q = 64 / 1063
    for order in (2, 7, 64):
        ours = private["renyi"](q, sigma, order)
        assert ours == pytest.approx(privacy.renyi_step(q, sigma, order), abs=1e-9)
    ours = private["epsilon"](q, sigma, 200, 1e-4)
    assert ours == pytest.approx(privacy.epsilon(q, sigma, 200, 1e-4), abs=1e-9)
