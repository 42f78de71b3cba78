"""Pictures of lecture 12: numbers are those of torch, figures say what they show."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from course_lib.models.scaling_runs import Row
from course_lib.show import scaling
from course_lib.show.diagram.model import Tensor
from course_lib.show.mechanisms import grouped_attention, modern_block, swiglu


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def grids(diagram) -> dict[str, np.ndarray]:
    nodes = diagram.nodes.values()
    return {n.name: np.asarray(n.values) for n in nodes if isinstance(n, Tensor)}


def test_the_picture_of_the_block_has_the_numbers_of_torch_and_transformers():
    made, shown, fed = modern_block, grids(grouped_attention()), grids(swiglu())
    x = torch.tensor(made.X, dtype=torch.float64)
    norm = nn.RMSNorm(4, eps=1e-5, dtype=torch.float64)
    with torch.no_grad():
        n = norm(x)
        q, k, v = (
            n @ torch.tensor(W.T).double() for W in (made.W_Q, made.W_K, made.W_V)
        )
        q, k, v = q.view(3, 2, 2).transpose(0, 1)[None], k[None, None], v[None, None]
        angle = torch.arange(3, dtype=torch.float64)[:, None].expand(3, 2)  # theta = 1
        q_r, k_r = apply_rotary_pos_emb(q, k, angle.cos()[None], angle.sin()[None])
        read = F.scaled_dot_product_attention(
            q_r, k_r, v, is_causal=True, enable_gqa=True
        )
        y = read[0].transpose(0, 1).flatten(1)
        h = x + y
        m = norm(h)
        gate, up = (m @ torch.tensor(W.T).double() for W in (made.W_GATE, made.W_UP))
        out = h + (F.silu(gate) * up) @ torch.tensor(made.W_DOWN.T).double()
    for name, value in {"n": n, "Q1": q[0, 0], "Kr": k_r[0, 0], "Y": y}.items():
        np.testing.assert_allclose(shown[name], value, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(shown["A1"] @ shown["V"], y[:, :2], atol=1e-9)
    np.testing.assert_allclose(shown["A2"] @ shown["V"], y[:, 2:], atol=1e-9)
    for name, value in {"h": h, "m": m, "open": F.silu(gate), "out": out}.items():
        np.testing.assert_allclose(fed[name], value, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(fed["open"] * fed["up"], fed["both"], atol=1e-12)


def test_values_are_not_turned_and_only_queries_and_keys_are():
    ends = {(arrow.start, arrow.end) for arrow in grouped_attention().arrows}
    assert ("V.right", "Y.bottom") in ends
    assert not {start for start, _ in ends} & {"turn_v"}


def test_turning_both_by_as_much_leaves_the_score():
    q, k = np.array([1.0, 0.5]), np.array([0.8, -0.3])
    _, said = scaling.draw_rotation(q, k, 2, (1, 7))
    one, other = said.removesuffix(".").rsplit(" ", 3)[1::2]
    assert one == other
    assert f"their score is {q @ k:.2f}" in said


def rows(widths=(8, 16, 32), budgets=(2**18, 2**20)) -> list[Row]:
    return [
        Row(w, D, 0.01, 0, 0, 22 * w * w, 1.0, 2.0, 2.1, 1 + 9 / w + 100 / D**0.5)
        for w in widths
        for D in budgets
    ]


def law(N, D):
    return 1 + 9 / (N / 22) ** 0.5 + 100 / D**0.5


def test_the_law_is_drawn_through_its_points():
    held = rows((128,))
    fig, said = scaling.draw_law(rows(), law, {2**18: 1.7}, held)
    lines = fig.axes[0].lines
    points = [line for line in lines if line.get_marker() == "o"]
    stars = [
        line for line in lines if line.get_marker() == "*" and len(line.get_xdata())
    ]
    assert [len(line.get_xdata()) for line in points] == [3, 3]
    assert len(stars) == 2
    assert "held-out" in said
    assert "held-out" not in scaling.draw_law(rows(), law, {})[1]


@pytest.mark.parametrize("power", [9.0, 11.0, 13.0])
def test_the_best_split_is_where_the_law_says(power):
    compute = {(r.width, r.letters): 6.0 * r.size * r.letters for r in rows()}
    flops = lambda N, D: 6 * N * D  # noqa: E731
    fig, said = scaling.draw_budget(rows(), compute, law, flops, power)
    C = 10**power
    N = np.geomspace(1e3, 1e7, 100_000)
    best = N[law(N, C / (6 * N)).argmin()]
    marked = fig.axes[1].lines[1].get_xdata()[0]
    assert marked == pytest.approx(best, rel=0.05)
    assert f"10 to the {power:g}" in said


def test_the_other_figures_have_labels_and_descriptions():
    few = [
        Row(w, 2**20, 0.01, 0, 2**16, 22 * w * w, 1.0, 1.5, 2.0, 2.0) for w in (16, 32)
    ]
    scores = {"turned": np.eye(3), "added": np.ones((3, 3))}
    for fig, said in (
        scaling.draw_few(few, rows((16, 32), (2**20,))),
        scaling.draw_scores(scores),
    ):
        assert len(said) > 40
        fig.canvas.draw()
        for ax in fig.axes:
            assert ax.get_ylabel()


def test_published_numbers_are_as_their_papers_say():
    """Tokens per parameter: about 2 in 2020, 20 by Chinchilla's rule, 39 for 405B."""
    ratio = {row.name: row.tokens / row.parameters for row in scaling.PUBLISHED}
    assert ratio["GPT-3"] == pytest.approx(1.7, abs=0.1)
    assert ratio["Chinchilla"] == pytest.approx(20)
    assert ratio["Llama 3 8B"] > 1800
    assert LlamaConfig().num_attention_heads == 32  # the 7B of the first Llama
