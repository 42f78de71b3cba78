"""Pictures of lecture 05: the gate player computes the cell, the others draw it all."""

import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt
from stopwatch import assert_quick

from course_lib.show import gru
from course_lib.show.plots import unlabelled

NUMBERS = np.random.default_rng(0).uniform(size=(8, 12))
ALL = [(z, r) for z in gru.UPDATE_PATTERNS for r in gru.RESET_PATTERNS]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize(("z", "r"), ALL)
def test_player_is_the_gru_equations_and_its_bars_are_autograds(z, r):
    run = gru.play_gates(z, r)
    given = [torch.tensor(v) for v in (run.z, run.r, run.x)]
    start = torch.zeros(gru.STEPS, dtype=torch.float64, requires_grad=True)
    h, states = torch.zeros((), dtype=torch.float64), []
    for t, (z_t, r_t, x_t) in enumerate(zip(*given, strict=True)):
        h_tilde = torch.tanh(x_t + gru.RECURRENT * r_t * h)
        h = (1 - z_t) * h + z_t * h_tilde + start[t]  # start[t] = 0 nudges h_t
        states.append((h.item(), h_tilde.item()))
    np.testing.assert_allclose(run.h, [h for h, _ in states], atol=1e-14)
    np.testing.assert_allclose(run.h_tilde, [c for _, c in states], atol=1e-14)
    (reach,) = torch.autograd.grad(h, start)
    np.testing.assert_allclose(run.reach, reach, atol=1e-14)


def test_patterns_do_what_their_names_say():
    run = gru.play_gates("write at 4 and 12", "shut at 12")
    assert np.flatnonzero(run.z).tolist() == [3, 11]
    assert np.flatnonzero(run.r == 0).tolist() == [11]
    assert run.h[11] == pytest.approx(np.tanh(gru.PULSES[12]))  # a fresh start
    assert np.all(run.reach[:11] == 0)
    kept = gru.play_gates("write at 4 only", "open")
    assert np.all(kept.h[3:] == kept.h[3])
    assert kept.reach[3] == 1


def test_the_answers_of_the_lecture_hold():
    shut, wide = (gru.play_gates("always 0.1", r).reach[3] for r in ("shut", "open"))
    fresh, mixed = (
        gru.play_gates("write at 4 and 12", r).h[11] for r in ("shut at 12", "open")
    )
    assert (round(fresh, 2), round(mixed, 2)) == (-0.72, -0.19)
    assert shut == pytest.approx(0.9**26)
    assert shut < wide <= 0.98**26
    assert np.array_equal(
        *(gru.play_gates("write at 4 only", r).h for r in gru.RESET_PATTERNS[:2])
    )


def test_unknown_pattern_is_named():
    with pytest.raises(ValueError, match=r"'ajar'.*always open"):
        gru.play_gates("ajar", "open")


def test_player_draws_the_run_it_describes():
    fig, description = gru.draw_gate_player("always 0.1", "shut")
    run = gru.play_gates("always 0.1", "shut")
    candidate, state = fig.axes[2].lines[:2]
    np.testing.assert_array_equal(candidate.get_ydata(), run.h_tilde)
    np.testing.assert_array_equal(state.get_ydata(), run.h)
    bars = [bar.get_height() for bar in fig.axes[3].patches]
    np.testing.assert_array_equal(bars, run.reach)
    assert f"{0.9**26:.2f}" in description


def test_a_step_of_the_player_is_quick():
    assert_quick(lambda: gru.draw_gate_player(*ALL[-1]))


@pytest.mark.parametrize(
    "draw",
    [
        lambda: gru.draw_gate_player("always open", "shut"),
        lambda: gru.draw_counters({k: np.arange(1.0, 51) for k in "abc"}),
        lambda: gru.draw_metronome(NUMBERS[0], NUMBERS[1], 6),
        lambda: gru.draw_said(dict.fromkeys("abc", NUMBERS), np.arange(1, 13), 4),
        lambda: gru.draw_solved("recall", {"a": [0.3, 1.0], "b": [0.2, 0.9]}, 0.25),
        lambda: gru.draw_learning(
            {k: 3 * np.ones((2, 50)) for k in "abc"},
            dict.fromkeys("abc", 1.0),
            NUMBERS[0],
        ),
    ],
)
def test_pictures_have_labels_and_a_description(draw):
    fig, description = draw()
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 80


def test_every_network_is_drawn():
    fig, _ = gru.draw_said(dict.fromkeys("abc", NUMBERS), np.arange(1, 13), 4)
    solid = [line for line in fig.axes[0].lines if line.get_linestyle() == "-"]
    assert np.array_equal([line.get_ydata() for line in solid], NUMBERS)
    scores = {"a": [0.3, 1.0, 0.5], "b": [0.2, 0.9, 0.4]}
    fig, _ = gru.draw_solved("recall", scores, 0.25)
    drawn = [line.get_xdata().tolist() for line in fig.axes[0].lines[:2]]
    assert drawn == [[0.3, 1.0, 0.5], [0.2, 0.9, 0.4]]
