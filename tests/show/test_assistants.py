"""Pictures of lecture 12b: what is measured is what is drawn."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from course_lib.models.speculative import tokens_per_call
from course_lib.show import assistants as pictures
from course_lib.show.diagram.model import Tensor
from course_lib.show.mechanisms import low_rank, speculative
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def drawn(picture):
    fig, alt = picture
    fig.canvas.draw()
    assert unlabelled(fig) == []
    return fig, alt


def grids(diagram):
    nodes = diagram.nodes.values()
    return {n.name: np.asarray(n.values) for n in nodes if isinstance(n, Tensor)}


def test_lora_as_drawn_is_a_product_of_rank_one_added():
    shown = grids(low_rank.low_rank_update())
    change = torch.tensor(shown["B"]) @ torch.tensor(shown["A"])
    np.testing.assert_allclose(shown["BA"], change)
    np.testing.assert_allclose(shown["W_new"], shown["W"] + change.numpy())
    assert np.linalg.matrix_rank(shown["BA"]) == 1
    made = low_rank.low_rank_update()
    assert "= 9 numbers" in made.steps[1].says
    assert "= −0.25" in made.steps[1].says
    assert "= −0.15" in made.steps[2].says


def test_the_round_as_drawn_follows_the_rule():
    shown, made = grids(speculative.speculative_round()), speculative
    for place, (x, chance) in enumerate(zip(made.DRAFTS, made.CHANCE, strict=True)):
        p, q = shown[f"p_{place + 1}"], shown[f"q_{place + 1}"]
        assert p.sum() == pytest.approx(1)
        assert q.sum() == pytest.approx(1)
        assert made.MADE["accepted"][place] == (chance < p[x] / q[x])
    assert list(made.MADE["accepted"]) == [True, True, False]
    rest = np.maximum(shown["p_3"] - shown["q_3"], 0)
    np.testing.assert_allclose(shown["rest"], rest / rest.sum())
    assert shown["rest"][made.REPLACED] > 0


def test_the_template_names_what_counts():
    words = ["<user>", "sort", "b", "a", "<assistant>", "a", "b", "<end>"]
    fig, alt = drawn(pictures.draw_template(words, [False] * 5 + [True] * 3))
    assert alt.endswith("the loss counts only a b <end>.")
    assert [t.get_text() for t in fig.axes[0].texts if t.get_text() in words] == words


def test_every_run_is_a_point():
    shares = {k: ([0.5, 0.6, 0.7], [0.1, 0.2, 0.3]) for k in pictures.KINDS}
    fig, alt = drawn(pictures.draw_template_runs(shares))
    for ax, expected in zip(fig.axes, ([50, 60, 70], [10, 20, 30]), strict=True):
        assert len(ax.lines) == len(pictures.KINDS)
        np.testing.assert_allclose(ax.lines[0].get_xdata(), expected)
    assert "loss on the answer 60" in alt
    points = {
        "rank 1": (10, [0.5, 0.7]),
        "rank 2": (20, [0.8]),
        "everything": (99, [1]),
    }
    fig, alt = drawn(pictures.draw_ranks(points))
    line, *dots = fig.axes[0].lines
    np.testing.assert_allclose(line.get_xydata(), [[10, 60], [20, 80]])
    assert [len(d.get_xdata()) for d in dots] == [2, 1, 1]
    assert "rank 1 60, rank 2 80, everything 100" in alt


def test_the_part_of_a_rank_is_the_best_one():
    change = np.random.default_rng(0).normal(size=(7, 5))
    fig, alt = drawn(pictures.draw_rank(change, 5, {}))
    whole, part = (ax.images[0].get_array() for ax in fig.axes[:2])
    np.testing.assert_allclose(whole, part)
    fig, alt = drawn(pictures.draw_rank(change, 2, {"rank 2": (24, [0.5])}))
    part = fig.axes[1].images[0].get_array()
    s = np.linalg.svd(change, compute_uv=False)
    assert np.linalg.norm(change - part) == pytest.approx(np.linalg.norm(s[2:]))
    assert "24 numbers instead of 35" in alt
    assert "50 per cent" in alt


def test_rewards_are_drawn_for_every_seed():
    curves = {"wrong": [([0, 1, 2], [0, 1, 2], [1, 2, -3])] * 3}
    fig, alt = drawn(pictures.draw_over_optimisation(curves, ([0, 1], [1, 4])))
    assert len(fig.axes[0].lines) == 3 * 2 + 2
    assert "below its start in 3" in alt


def test_levels_are_those_of_rounding():
    W = np.array([[1.0, -2.0, 0.5, 0.1], [0.1, -0.2, 0.05, 0.01]])
    fig, alt = drawn(pictures.draw_levels(W, [0, 1], 3))
    heights = [len(c.get_segments()) for c in fig.axes[1].collections]
    assert heights == [1, 7]  # of the tensor's levels only 0 is left to the small row
    assert "the 7 levels of 3 bits" in alt


def test_acceptance_is_the_overlap_and_tokens_follow():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.3, 0.1])
    fig, alt = drawn(pictures.draw_acceptance(p, q, ["a", " b", "\n"], 3, "so"))
    assert "overlap by 0.60" in alt
    assert f"{tokens_per_call(0.6, 3):.2f} tokens" in alt
    names = [t.get_text() for t in fig.axes[0].get_xticklabels()]
    assert sorted(names) == sorted(["a", "␣b", "⏎"])
