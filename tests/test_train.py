"""The training loop."""

import pytest
import torch
from torch.optim.lr_scheduler import LambdaLR

from course_lib.train import one_cycle, progress, train


def test_it_finds_the_minimum():
    w = torch.zeros(3, requires_grad=True)
    goal = torch.tensor([1.0, -2.0, 0.5])
    history = train([w], lambda step: ((w - goal) ** 2).sum(), 300, lr=0.1)
    assert len(history) == 300
    assert history[-1] < 1e-4 < history[0]
    assert torch.allclose(w, goal, atol=0.01)


def test_clipping_bounds_the_gradient():
    w = torch.zeros(2, requires_grad=True)
    seen = []

    def loss(step):
        if step:
            seen.append(w.grad)
        return 1000 * w.sum()

    w.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.norm().item()))
    train([w], loss, 1, clip=1.0)
    assert seen[0] == pytest.approx(1000 * 2**0.5)
    assert w.grad.norm() <= 1.0 + 1e-5


def test_a_schedule_changes_the_rate_of_every_step():
    w = torch.zeros(1, requires_grad=True)
    places = []

    def loss(step):
        places.append(w.item())
        return w.sum()  # the gradient is always 1, so Adam moves by the rate itself

    def falling(optimiser, steps):
        return LambdaLR(optimiser, lambda n: 1 / (n + 1))

    train([w], loss, 7, lr=0.1, schedule=falling)
    moves = [a - b for a, b in zip(places, places[1:], strict=False)]
    assert moves == pytest.approx([0.1 / (n + 1) for n in range(6)], rel=1e-5)


def test_one_cycle_is_highest_after_a_tenth_and_ends_near_nothing():
    optimiser = torch.optim.Adam([torch.zeros(1)], lr=0.1)
    cycle, rates = one_cycle(optimiser, 50), []
    for _ in range(50):
        rates.append(optimiser.param_groups[0]["lr"])
        optimiser.step()
        cycle.step()
    assert rates.index(max(rates)) == 4
    assert max(rates) == pytest.approx(0.1)
    assert rates[0] < 0.01
    assert rates[-1] < 1e-5


def test_a_loss_that_is_not_finite_stops_with_the_step():
    w = torch.ones(1, requires_grad=True)
    with pytest.raises(ValueError, match="nan at step 4 of 9"):
        train([w], lambda step: w.sum() * (float("nan") if step == 4 else 1.0), 9)


def test_no_parameters_is_an_error():
    with pytest.raises(ValueError, match="no parameters"):
        train([], lambda step: torch.zeros(1), 3)


@pytest.mark.parametrize(("quiet", "trace"), [("1", False), ("0", True)])
def test_the_bar_is_silent_when_outputs_are_stored(monkeypatch, capsys, quiet, trace):
    monkeypatch.setenv("COURSE_QUIET", quiet)
    assert list(progress(range(5), "counting")) == [0, 1, 2, 3, 4]
    captured = capsys.readouterr()
    assert ("counting" in captured.err) is trace
    assert captured.out == ""
