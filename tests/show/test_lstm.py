"""Pictures of the LSTM: the gate player computes the cell, the diagrams are whole."""

import io

import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt
from PIL import Image
from stopwatch import assert_quick

from course_lib.show import lstm
from course_lib.show.diagram.roles import colour_of
from course_lib.show.mechanisms.lstm import lstm_cell
from course_lib.show.plots import png, unlabelled

NUMBERS = np.random.default_rng(0).standard_normal((7, 11))
SYMBOLS = np.arange(77).reshape(7, 11) % 5 + 3  # letters are 0 to 3
LOSSES = {"LSTM": np.linspace(3, 1.7, 101), "RNN": np.linspace(3, 1.8, 67)}
ALL = [
    (f, i, o)
    for f in lstm.FORGET_PATTERNS
    for i in lstm.INPUT_PATTERNS
    for o in lstm.OUTPUT_PATTERNS
]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize(("f", "i", "o"), ALL)
def test_player_is_the_lstm_equations_and_its_bars_are_autograds(f, i, o):
    run = lstm.play_gates(f, i, o)
    gates = [torch.tensor(v) for v in (run.f, run.i, run.o, run.c_tilde)]
    start = torch.zeros(lstm.STEPS, dtype=torch.float64, requires_grad=True)
    c, states = torch.zeros((), dtype=torch.float64), []
    for t, (f_t, i_t, o_t, c_tilde) in enumerate(zip(*gates, strict=True)):
        c = f_t * c + i_t * c_tilde + start[t]  # start[t] = 0 nudges c_t
        states.append((c, o_t * torch.tanh(c)))
    np.testing.assert_allclose(run.c, [c.item() for c, _ in states], atol=1e-14)
    np.testing.assert_allclose(run.h, [h.item() for _, h in states], atol=1e-14)
    (reach,) = torch.autograd.grad(c, start)
    np.testing.assert_allclose(run.reach, reach, atol=1e-14)


def test_patterns_do_what_their_names_say():
    run = lstm.play_gates("erase at step 16", "write at 4 and 12", "read at 24 to 27")
    assert np.flatnonzero(run.f == 0).tolist() == [15]
    assert np.flatnonzero(run.i).tolist() == [3, 11]
    assert np.flatnonzero(run.o).tolist() == [23, 24, 25, 26]
    assert run.c[14] == pytest.approx(1.5)
    assert np.all(run.c[15:] == 0)  # erased, and nothing is written after step 12
    assert run.reach[3] == 0
    assert run.reach[15] == 1


def test_the_cell_state_leaves_the_unit_interval_and_the_output_does_not():
    run = lstm.play_gates("keep (1)", "write at 4 and 12", "always open")
    assert run.c.max() > 1 > np.abs(run.h).max()


def test_candidates_are_the_same_at_every_call_and_inside_the_tanh():
    assert np.array_equal(lstm.candidates(), lstm.candidates())
    assert np.abs(lstm.candidates()).max() < 1
    for step, value in lstm.PULSES.items():
        assert lstm.candidates()[step - 1] == value


def test_unknown_pattern_is_named():
    with pytest.raises(ValueError, match=r"'ajar'.*always open"):
        lstm.play_gates("keep (1)", "ajar", "shut")


def test_player_draws_the_run_it_describes():
    fig, description = lstm.draw_gate_player("leak (0.9)", "write at 4 only", "shut")
    run = lstm.play_gates("leak (0.9)", "write at 4 only", "shut")
    c_line, h_line = fig.axes[2].lines[:2]
    np.testing.assert_array_equal(c_line.get_ydata(), run.c)
    np.testing.assert_array_equal(h_line.get_ydata(), run.h)
    bars = [bar.get_height() for bar in fig.axes[3].patches]
    np.testing.assert_array_equal(bars, run.reach)
    np.testing.assert_array_equal(fig.axes[1].images[0].get_array()[0], run.f)
    assert f"{0.9 * 0.9**26:+.2f}" in description  # c_T: written at 4, 26 leaks
    assert "leak (0.9)" in description


@pytest.mark.parametrize(
    "draw",
    [
        lstm.backward_diagram,
        lambda: lstm.draw_gate_player("forget (0)", "always open", "half open"),
        lstm.draw_retention,
        lstm.draw_squashing,
        lambda: lstm.draw_states(3 * NUMBERS, np.tanh(NUMBERS)),
        lambda: lstm.draw_recall({(k, g): [0.2, 1] for k in "ab" for g in (3, 5)}),
        lambda: lstm.draw_reach({"LSTM": np.exp(-(NUMBERS**2)), "RNN": NUMBERS**2}),
        lambda: lstm.draw_learning(LOSSES, np.array([3.3, 2.5, 2.1, 1.8, 1.6])),
        lambda: lstm.draw_unit(NUMBERS, NUMBERS**2, np.arange(7) % 4, SYMBOLS),
    ],
)
def test_pictures_have_labels_a_description_and_nothing_cut_off(draw):
    fig, description = draw()
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 80
    page = fig.bbox
    texts = [t for ax in fig.axes for t in ax.texts if t.get_text()]
    for text in texts:
        box = text.get_window_extent()
        assert page.x0 <= box.x0 < box.x1 <= page.x1, text.get_text()
        assert page.y0 <= box.y0 < box.y1 <= page.y1, text.get_text()
    pixels = np.asarray(Image.open(io.BytesIO(png(fig))).convert("L"))
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert border.min() > 250  # the frame of the picture is white: nothing touches it


def test_backward_diagram_has_every_arrow_of_the_derivation():
    fig, _ = lstm.backward_diagram()
    labels = {t.get_text() for t in fig.axes[0].texts}
    for factor in (r"$\tanh c_t$", "$f_t$", "$c_{t-1}$", r"$\tilde c_t$", "$i_t$"):
        assert factor in labels
    for k in ("hf", "hi", "hc", "ho"):
        assert any(f"W_{{{k}}}" in label for label in labels)


def test_the_states_have_the_colours_of_the_diagram_of_the_cell():
    nodes = lstm_cell().nodes
    colours = {name: colour_of(nodes[name].role) for name in "ch"}
    fig, _ = lstm.draw_gate_player("keep (1)", "always open", "always open")
    lines = {line.get_label()[1]: line.get_color() for line in fig.axes[2].lines[:2]}
    assert lines == colours == {"c": lstm.MEMORY, "h": lstm.STATE}


def test_a_step_of_the_player_is_quick():
    assert_quick(lambda: lstm.draw_gate_player(*ALL[-1]))


def test_a_unit_is_drawn_without_its_mean_over_the_sequences():
    """A ramp that all sequences share is a clock, not a memory: it must not show."""
    ramp = np.arange(11) * 10
    fig, _ = lstm.draw_unit(
        NUMBERS + ramp, NUMBERS + ramp, np.zeros(7, dtype=int), SYMBOLS
    )
    flat = NUMBERS - NUMBERS.mean(0)
    curve, points = fig.axes[0].lines[0], fig.axes[1].lines[0]
    np.testing.assert_allclose(curve.get_ydata(), flat[0], atol=1e-12)
    np.testing.assert_allclose(points.get_ydata(), flat[SYMBOLS == 4], atol=1e-12)


def test_every_network_of_the_recall_is_a_point():
    scores = {("both", 3): [0.2, 1.0, 0.7], ("plain", 3): [0.1, 0.3, 0.5]}
    scores |= {(start, 5): values for (start, _), values in scores.items()}
    fig, alt = lstm.draw_recall(scores)
    drawn = [line.get_xdata().tolist() for line in fig.axes[0].lines[:2]]
    assert drawn == [[0.2, 1.0, 0.7], [0.1, 0.3, 0.5]]
    assert "both: 0.6, 0.6" in alt
