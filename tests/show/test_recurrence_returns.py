"""Pictures of lecture 17: what is drawn is true, and every control draws."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from course_lib.models.fast_weights import delta_rule
from course_lib.models.mamba import MambaMixer
from course_lib.models.scan import loop
from course_lib.show import recurrence_returns as pictures
from course_lib.show.mechanisms.delta_step import BETA, MADE, K, S, V
from course_lib.show.mechanisms.mamba_step import MADE as MIXED
from course_lib.show.mechanisms.mamba_step import U, W
from course_lib.show.mechanisms.scan_tree import A_T, B_T, numbers
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("length", [4, 8, 16])
def test_each_round_doubles_what_a_position_has_heard_of(length):
    rounds = int(np.log2(length))
    first = pictures.covered(length, rounds)
    steps = np.arange(1, length + 1)
    for k, start in enumerate(first):
        assert np.array_equal(start, np.maximum(1, steps - 2**k + 1))
    assert set(first[-1]) == {1}


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_the_stepper_draws_every_round(rounds):
    fig, alt = pictures.draw_scan(rounds)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert f"{2**rounds} of 8" in alt


def test_the_tree_shows_the_states_of_the_loop():
    n, h, states = numbers(), 0.0, []
    for a, b in zip(A_T, B_T, strict=True):
        h = a * h + b
        states.append(h)
    ends = [n[name][1] for name in ("e_1", "p_12", "p_13", "p_14")]
    assert ends == pytest.approx(states)


def test_the_picture_of_the_delta_rule_shows_its_step():
    k, v, state = (torch.tensor(x)[None] for x in (K.T, V, S))
    beta = torch.tensor([[BETA]], dtype=torch.float64)
    assert np.allclose(delta_rule(k, k, v, beta, state)[1][0], MADE["S_new"])
    assert np.allclose(K.T @ MADE["S_new"], V)


def test_the_picture_of_mamba_shows_its_mixer():
    mixer = MambaMixer(3, expand=1, state=2, rank=1)
    for name, value in W.items():
        owner, _, of = name.rpartition(".")
        parameter = torch.nn.Parameter(torch.tensor(value, dtype=torch.float32))
        setattr(mixer.get_submodule(owner), of or name, parameter)
    with torch.no_grad():
        out = mixer(torch.tensor(U[None], dtype=torch.float32))[0, -1]
    assert np.allclose(out, MIXED["out"], atol=1e-5)


@pytest.mark.parametrize("gates", list(pictures.GATES))
def test_the_stepper_shows_the_pairs_and_states_of_the_loop(gates):
    a = torch.tensor(pictures.GATES[gates])
    b = torch.tensor(pictures.INPUTS)
    states = loop(a[None], b[None])[0]
    pairs = pictures.joined(a.numpy(), b.numpy(), 3)
    assert np.allclose(pairs[-1][1], states)
    fig, alt = pictures.draw_scan(3, gates)
    fig.canvas.draw()
    shown = {text.get_text() for ax in fig.axes for text in ax.texts}
    assert all(any(f"{h:.3g}" in words for words in shown) for h in states.tolist())


@pytest.mark.parametrize("gates", list(pictures.GATES))
def test_what_stands_in_a_cell_fits_into_it(gates):
    fig, _ = pictures.draw_scan(3, gates)
    fig.canvas.draw()
    cells = [patch.get_window_extent() for patch in fig.axes[0].patches]
    for text in fig.axes[0].texts:
        if text.get_text():
            words = text.get_window_extent()
            assert any(c.x0 <= words.x0 and words.x1 <= c.x1 for c in cells)


def test_the_clock_is_described_by_its_numbers():
    still = np.array([0.0, 0.0, 0.1, 1.0, 2.0])[:, None]  # blanks at steps 1 and 2
    for gates, states, kept, moves in (
        ([0.1, 0.9, 0.9, 0.2, 0.1], still, "larger", "smaller"),
        ([0.9, 0.1, 0.1, 0.8, 0.9], 2 - still[::-1], "smaller", "larger"),
    ):
        _, alt = pictures.draw_clock("a··b?", np.array(gates), states)
        assert f"above 0.95 is {kept} at blanks" in alt
        assert f"moves are {moves} there" in alt


def test_other_pictures_are_labelled_and_described():
    disc = np.exp(1j * np.arange(5)) * 0.9
    right = np.full((2, 3), 0.5)
    drawn = [
        pictures.draw_starts({"near": disc, "far": 0.5 * disc}, 50),
        pictures.draw_strips({"first": [0.1, 0.2], "second": [0.9]}, "accuracy", 0.25),
        pictures.draw_clock("a··b?", np.linspace(0, 1, 5), np.ones((5, 3)), "gates"),
        pictures.draw_recall([4, 8, 16], {"here": {"sum": right}}, 1 / 16),
        pictures.draw_writing([1, 2, 3], {"cache": [1, 2, 3], "state": [2, 2, 2]}),
        pictures.draw_circle(),
    ]
    for fig, alt in drawn:
        fig.canvas.draw()
        assert unlabelled(fig) == []
        assert len(alt) > 60
