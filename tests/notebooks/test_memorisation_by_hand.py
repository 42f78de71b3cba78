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


def epsilon_of_the_losses(q: float, sigma: float, steps: int, delta: float) -> float:
    """The distribution of the privacy loss of one step, added up by Fourier transform.

    It counts the losses with the line against those without; the other way round gives
    less for all that is asked here.
    """
    z = np.arange(-12 * sigma, 1 + 12 * sigma, 1e-4)
    bell = lambda mean: np.exp(-(((z - mean) / sigma) ** 2) / 2)  # noqa: E731
    likely = (1 - q) * bell(0) + q * bell(1)
    loss = np.log(1 - q + q * np.exp((2 * z - 1) / (2 * sigma**2)))
    step, size = 2e-3, 2**17
    one = np.zeros(size)
    np.add.at(one, np.rint(loss / step).astype(int) % size, likely / likely.sum())
    total = np.fft.ifft(np.fft.fft(one) ** steps).real.clip(min=0)
    losses = (np.arange(size) + size // 2) % size - size // 2
    losses = losses * step
    grid = np.linspace(0, 60, 6001)
    for eps in grid:
        above = losses > eps
        if total[above] @ (1 - np.exp(eps - losses[above])) <= delta:
            return eps
    return np.inf


@pytest.mark.parametrize(("sigma", "sharp"), [(0.5, 25.0), (1.0, 4.9), (4.0, 0.68)])
def test_the_sharper_account_of_lecture_13b(sigma, sharp):
    q = 64 / 1063
    ours = epsilon_of_the_losses(q, sigma, 200, 1e-4)
    assert ours == pytest.approx(sharp, abs=0.05)
    assert ours < privacy.epsilon(q, sigma, 200, 1e-4)
    exact = epsilon_of_the_losses(1 - 1e-12, 10.0, 50, 1e-4)  # lecture 13b: 2.53
    assert exact == pytest.approx(2.53, abs=0.02)
