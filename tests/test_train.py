"""The training loop."""

import pytest
import torch

from course_lib.train import progress, train


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
