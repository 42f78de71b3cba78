"""Drawn stacks: the masks and rounds are those of real networks."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from torch import nn

from course_lib.models import layer_plan
from course_lib.models.layer_plan import LayerPlan
from course_lib.show import stacks_and_directions as stacks
from course_lib.show.plots import BLUE, GREEN, unlabelled

STEPS = 5
PLANS = [
    list(p) for n in (1, 2, 3) for p in itertools.product(layer_plan.WAYS, repeat=n)
]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def run_torch(directions: list[str], x: torch.Tensor) -> tuple[list, torch.Tensor]:
    """The states of every pass of a real stack of simple RNNs, kept for gradients."""
    torch.manual_seed(3)
    states, below = [], x
    for direction in directions:
        layer = {}
        for way in layer_plan.WAYS[direction]:
            rnn = nn.RNN(below.shape[2], 3, batch_first=True, dtype=torch.float64)
            turn = (lambda a: a) if way == "forward" else (lambda a: a.flip(1))
            steps = turn(below).split(1, dim=1)
            h, seen = torch.zeros(1, 1, 3, dtype=torch.float64), []
            for x_t in steps:
                h = rnn(x_t, h)[1]
                h.retain_grad()
                seen.append(h)
            layer[way] = seen if way == "forward" else seen[::-1]
        states.append(layer)
        below = torch.cat([torch.cat(s, dim=1) for s in layer.values()], dim=2)
    return states, below


@pytest.mark.parametrize("directions", PLANS, ids="-".join)
def test_masks_are_where_gradients_of_a_real_stack_are_not_zero(directions):
    mask = layer_plan.sees(directions, STEPS)
    for at in range(STEPS):
        x = torch.ones(1, STEPS, 2, dtype=torch.float64, requires_grad=True)
        states, top = run_torch(directions, x)
        top[0, at].sum().backward()
        assert np.array_equal(x.grad[0].abs().sum(1).numpy() > 0, mask[at])
        for real, drawn in zip(
            states, layer_plan.needed(directions, STEPS, at), strict=True
        ):
            for way, seen in real.items():
                used = [h.grad is not None and bool(h.grad.abs().sum()) for h in seen]
                assert used == drawn[way].tolist()


@pytest.mark.parametrize("directions", PLANS, ids="-".join)
def test_no_cell_runs_before_what_it_needs(directions):
    """Play the schedule: in each round everything that is ready runs, nothing else."""
    order = layer_plan.rounds(directions, STEPS)
    done = {("x", "", t) for t in range(STEPS)}

    def needs(n, way, t):
        side = t - 1 if way == "forward" else t + 1
        yield from [(n, way, side)] if 0 <= side < STEPS else []
        if n == 0:
            yield ("x", "", t)
        else:
            yield from ((n - 1, w, t) for w in layer_plan.WAYS[directions[n - 1]])

    cells = {
        (n, way, t): layer[way][t]
        for n, layer in enumerate(order)
        for way in layer
        for t in range(STEPS)
    }
    for number in range(1, max(cells.values()) + 1):
        ready = {
            c for c in cells if c not in done and all(k in done for k in needs(*c))
        }
        assert ready == {c for c, r in cells.items() if r == number}
        done |= ready
    assert set(cells) <= done


@pytest.mark.parametrize("directions", PLANS, ids="-".join)
def test_cells_between_input_and_output_are_those_of_the_shortest_walk(directions):
    """Walk down from each output, one arrow at a time, and count the cells passed."""
    lengths = layer_plan.cells_between(directions, STEPS)
    assert np.array_equal(lengths > 0, layer_plan.sees(directions, STEPS))
    top = len(directions) - 1
    for at in range(STEPS):
        now = {(top, way, at) for way in layer_plan.WAYS[directions[top]]}
        seen, found, passed = set(), {}, 0
        while now:
            passed, seen = passed + 1, seen | now
            below = {(n - 1, t) for n, _, t in now}
            found = {t: passed for n, t in below if n < 0} | found
            beside = {
                (n, way, t + (-1 if way == "forward" else 1)) for n, way, t in now
            }
            down = {
                (n, way, t)
                for n, t in below
                if n >= 0
                for way in layer_plan.WAYS[directions[n]]
            }
            now = {c for c in beside | down if 0 <= c[2] < STEPS} - seen
        assert lengths[at].tolist() == [found.get(t, 0) for t in range(STEPS)]


def test_the_squares_of_a_stack_tell_near_from_far():
    """All inputs are seen, and yet the picture is no single colour."""
    fig, _ = stacks.draw_stack(LayerPlan("both", 8), steps=STEPS)
    shades = fig.axes[1].images[0].get_array()
    assert len(np.unique(shades)) == STEPS
    texts = [text.get_text() for text in fig.axes[1].texts]
    between = layer_plan.cells_between(["both"], STEPS)
    assert texts == [str(number) for number in between.ravel()]


@pytest.mark.parametrize(("layers", "steps"), [(1, 7), (3, 7), (5, 2)])
def test_equal_directions_overlap_and_alternating_ones_wait(layers, steps):
    last = lambda directions: max(  # noqa: E731
        r.max() for r in layer_plan.rounds(directions, steps)[-1].values()
    )
    assert last(["forward"] * layers) == layers + steps - 1
    assert last((["backward", "forward"] * layers)[:layers]) == layers * steps
    assert last(["both"] * layers) == layers * steps


def test_parameters_are_torchs_without_its_second_bias():
    d_x, d, n = 3, 5, 2
    for ways, direction in ((1, "forward"), (1, "backward"), (2, "both")):
        torch_stack = nn.LSTM(d_x, d, n, bidirectional=ways == 2)
        torch_count = sum(p.numel() for p in torch_stack.parameters())
        plan = [LayerPlan(direction, d)] * n
        assert layer_plan.parameter_count(plan, d_x) == torch_count - n * ways * 4 * d
    mixed = [LayerPlan("both", 5), LayerPlan("forward", 7)]
    by_hand = 2 * 4 * 5 * (3 + 5 + 1) + 4 * 7 * (10 + 7 + 1)
    assert layer_plan.parameter_count(mixed, d_x) == by_hand


def test_an_unknown_direction_is_refused_with_the_reason():
    for function in (layer_plan.rounds, layer_plan.sees):
        with pytest.raises(ValueError, match="'up'.*'forward', 'backward', 'both'"):
            function(["forward", "up"], STEPS)


def filled(fig, colour: str) -> int:
    """How many boxes of the left picture have this colour."""
    faces = [
        tuple(face)
        for row in fig.axes[0].collections
        if isinstance(row, PatchCollection)
        for face in row.get_facecolor()
    ]
    return faces.count(to_rgba(colour))


@pytest.mark.parametrize("directions", PLANS[:12:2], ids="-".join)
def test_the_drawing_fills_exactly_the_cells_behind_the_output(directions):
    plan = [LayerPlan(d, 8) for d in directions]
    fig, description = stacks.draw_stack(*plan, at=3, steps=STEPS)
    used = layer_plan.needed(directions, STEPS, 2)
    assert filled(fig, BLUE) == sum(m.sum() for layer in used for m in layer.values())
    seen = np.flatnonzero(layer_plan.sees(directions, STEPS)[2]) + 1
    assert filled(fig, GREEN) == len(seen)
    assert f"output 3 sees inputs {seen[0]} to {seen[-1]}" in description
    fig.canvas.draw()
    assert unlabelled(fig) == []


def test_the_two_rows_of_a_pair_stand_in_one_frame():
    plan = LayerPlan("forward", 8), LayerPlan("both", 8), LayerPlan("both", 8)
    fig, _ = stacks.draw_stack(*plan, steps=STEPS)
    assert len(fig.axes[0].patches) == 2


def test_the_description_counts_rounds_width_and_parameters():
    plan = LayerPlan("both", 8), LayerPlan("both", 16)
    _, description = stacks.draw_stack(*plan, steps=6, d_x=4)
    count = layer_plan.parameter_count(list(plan), 4)
    assert f"output width 32, {count:,} parameters, 12 rounds" in description


def test_every_choice_of_the_controls_can_be_drawn():
    for label, layer in stacks.CHOICES:
        fig, description = stacks.draw_three(layer, layer, layer)
        plt.close(fig)
        assert layer.direction in label
        assert str(layer.width) in label
        assert f"{stacks.ARROWS[layer.direction]} {layer.width}" in description
    assert len(stacks.CHOICES) == 6


def test_rounds_are_drawn_as_numbers_with_labelled_axes():
    fig, description = stacks.draw_rounds(
        {"same": ["forward"] * 3, "turns": ["forward", "backward", "forward"]}, 7
    )
    assert "same, 9 rounds; turns, 21 rounds" in description
    texts = [text.get_text() for text in fig.axes[0].texts]
    assert texts == [str(n + t + 1) for n in range(3) for t in range(7)]
    fig.canvas.draw()
    assert unlabelled(fig) == []


def test_masks_are_drawn_as_they_are():
    lower = np.tril(np.ones((5, 5), bool))
    fig, description = stacks.draw_masks({"lower": lower, "all": lower | True})
    assert "lower 60%, all 100%" in description
    drawn = fig.axes[0].images[0].get_array()
    assert np.array_equal(drawn != 0, lower)
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["lower", "all"]
    fig.canvas.draw()
    assert unlabelled(fig) == []


LOSSES = {kind: {n: [2.0 + n / 8, 2.1] for n in (1, 2, 4)} for kind in ("a", "b")}
ERRORS = np.array([[0.36, 0.37], [0.35, 0.36]])


@pytest.mark.parametrize(
    "draw",
    [
        lambda: stacks.draw_depth(LOSSES, 3.1),
        lambda: stacks.draw_tags({"both": [0.9, 1.0]}, {"both": 1.0}),
        lambda: stacks.draw_forecasts({"one way": ERRORS, "both": ERRORS}, 0.36, 0.4),
    ],
)
def test_measurements_have_labels_and_a_description(draw):
    fig, description = draw()
    fig.canvas.draw()
    assert unlabelled(fig) == []
    assert len(description) > 60


def test_every_network_of_a_measurement_is_a_point():
    fig, _ = stacks.draw_depth(LOSSES, 3.1)
    dots = [line.get_ydata() for line in fig.axes[0].lines if line.get_marker() == "o"]
    drawn = np.array(dots)  # one line for each seed
    assert np.array_equal(
        np.sort(drawn.ravel()), np.sort([*LOSSES["b"].values()], None)
    )
    fig, _ = stacks.draw_forecasts({"one way": ERRORS, "both": ERRORS}, 0.36, 0.4)
    dots = [line.get_xdata() for line in fig.axes[0].lines if line.get_marker() in "os"]
    assert np.array_equal(dots, [*ERRORS.T, *ERRORS.T])
