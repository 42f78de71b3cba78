"""Pictures of lecture 15: what is drawn is true, and every control draws."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from stopwatch import assert_quick

from course_lib.models.sparse import window_mask
from course_lib.show import efficient_attention as pictures
from course_lib.show.efficient_attention import Measured, crossover, exponent
from course_lib.show.plots import unlabelled


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_effective_weights_are_means_and_the_exact_ones_are_torchs():
    weights = pictures.effective_weights()
    q, k = pictures.example_inputs()
    expected = F.scaled_dot_product_attention(q, k, torch.eye(24, dtype=q.dtype))
    for name in ("full", "exact, in chunks"):
        assert np.allclose(weights[name], expected, atol=1e-12)
    for A in weights.values():
        assert np.allclose(A.sum(axis=1), 1)
        assert A.min() >= 0
    assert np.array_equal(weights["local window"] > 0, window_mask(24, 2).numpy())
    ranks = {name: np.linalg.matrix_rank(A) for name, A in weights.items()}
    assert (ranks["linear, elu"], ranks["inducing points"]) == (8, 4)
    assert ranks["full"] == 24


def test_the_map_has_a_panel_and_a_cost_for_each_method():
    fig, alt = pictures.map_of_methods()
    fig.canvas.draw()
    titles = [ax.get_title(loc="left") for ax in fig.axes]
    assert titles == list(pictures.effective_weights())
    assert all(ax.get_xlabel() for ax in fig.axes)
    assert "piece by piece" in alt


@pytest.mark.parametrize("extra", pictures.EXTRAS)
def test_patterns_hold_the_window_and_what_they_are_called(extra):
    mask = pictures.pattern(2, extra)
    n, m = np.indices(mask.shape)
    near = np.abs(n - m) <= 2
    more = mask.numpy() & ~near
    assert (mask.numpy() >= near).all()
    far = {
        "nothing": np.zeros_like(near),
        "stride 6": (n - m) % 6 == 0,
        "stride 12": (n - m) % 12 == 0,
        "1 global token": (n == 0) | (m == 0),
    }
    if extra in far:
        assert np.array_equal(more, far[extra] & ~near)
    else:
        assert 0 < more.sum(axis=1).max() <= 2


def hops(mask):
    """Shortest paths, by Floyd and Warshall."""
    far = np.where(mask, 1.0, np.inf)
    for via in range(len(far)):
        far = np.minimum(far, far[:, via : via + 1] + far[via : via + 1])
    return far


@pytest.mark.parametrize("extra", pictures.EXTRAS)
@pytest.mark.parametrize("window", [0, 1, 6])
def test_layers_needed_are_the_lengths_of_shortest_paths(window, extra):
    mask = pictures.pattern(window, extra)
    needed, expected = pictures.layers_needed(mask), hops(mask.numpy())
    expected[expected > pictures.MOST_LAYERS] = np.nan
    assert np.array_equal(needed, expected, equal_nan=True)


@pytest.mark.parametrize("extra", pictures.EXTRAS)
@pytest.mark.parametrize(("window", "layers"), [(0, 1), (6, 8), (2, 3)])
def test_every_corner_of_the_controls_draws(window, extra, layers):
    fig, alt = pictures.draw_reach(window, extra, layers)
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert f"Window {window} and {extra}" in alt
    drawn = np.ma.filled(fig.axes[1].images[0].get_array().astype(float), np.nan)
    needed = pictures.layers_needed(pictures.pattern(window, extra))
    assert np.array_equal(drawn > 0, needed <= layers)


def test_the_description_counts_keys_and_pairs():
    _, alt = pictures.draw_reach(0, "1 global token", 2)
    assert "reads 2.9 of 36 keys" in alt  # 106 / 36
    assert "after 2 layers 100.0 per cent" in alt
    _, alt = pictures.draw_reach(0, "nothing", 8)
    assert "reads 1.0 of 36 keys" in alt
    assert "2.8 per cent" in alt


def test_a_step_takes_less_than_half_a_second():
    assert_quick(lambda: pictures.draw_reach(2, "stride 6", 3))


def test_a_pattern_without_meaning_is_refused():
    with pytest.raises(ValueError, match="no pattern 'all': expected one of"):
        pictures.pattern(1, "all")


def test_exponents_and_crossovers_of_known_curves():
    lengths = [512, 1024, 2048, 4096]
    square = {N: 1e-9 * N**2 for N in lengths}
    line = {N: 1.5e-6 * N for N in lengths}  # equal at N = 1500
    assert exponent(square) == pytest.approx(2)
    assert exponent(line) == pytest.approx(1)
    bent = {**line, 512: 99.0}  # lengths before the start do not count
    assert exponent(bent) == pytest.approx(1)
    assert crossover(square, line) == pytest.approx(1500)
    assert math.isnan(crossover(line, square))
    with pytest.raises(ValueError, match="two lengths"):
        exponent({1024: 1.0})


def test_measurements_are_drawn_where_there_are_any():
    full = Measured({64: 1e-3, 128: 4e-3}, {64: 1_000_000, 128: 4_000_000})
    line = Measured({64: 1e-3, 128: 2e-3}, {64: 5, 128: 9}, {64: 0.5}, {128: 0.7})
    fig, alt = pictures.draw_measured({"full": full, "linear": line})
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert "peak memory" in alt
    counts = [len(ax.lines) for ax in fig.axes]
    assert counts == [2, 2, 1, 1]
    assert fig.axes[0].lines[0].get_ydata() == pytest.approx([1.0, 4.0])  # ms
    assert fig.axes[1].lines[0].get_ydata() == pytest.approx([1.0, 4.0])  # MB
    assert fig.axes[3].lines[0].get_ydata() == pytest.approx([0.7])
