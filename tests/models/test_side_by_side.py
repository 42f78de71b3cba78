"""Networks trained side by side are ordinary networks that never meet."""

import pytest
import torch
from torch import nn

from course_lib.models.side_by_side import (
    accuracies,
    adding_batches,
    cross_entropies,
    fit,
    new_networks,
    read,
    recall_batches,
    relu_step,
    squared_errors,
    tanh_step,
    uniform,
)

M, B, T, D_H = 3, 8, 11, 5


def networks(seed: int = 1, count: int = M) -> dict:
    generator = torch.Generator().manual_seed(seed)
    return new_networks(uniform((count, D_H, D_H), D_H, generator), generator)


def copy_of(weights: dict, slot: int, nonlinearity: str) -> tuple:
    """A slot as `nn.RNN` and `nn.Linear`."""
    rnn = nn.RNN(9, D_H, batch_first=True, nonlinearity=nonlinearity)
    head = nn.Linear(D_H, 4)
    pairs = {"W_h": rnn.weight_hh_l0, "W_x": rnn.weight_ih_l0, "b_h": rnn.bias_ih_l0}
    pairs |= {"W_y": head.weight, "b_y": head.bias}
    for name, target in pairs.items():
        target.data = weights[name].detach()[slot].reshape(target.shape)
    rnn.bias_hh_l0.data.zero_()
    return rnn, head


@pytest.mark.parametrize(
    ("step", "nonlinearity"), [(tanh_step, "tanh"), (relu_step, "relu")]
)
def test_a_slot_is_torchs_rnn_with_its_gradients(step, nonlinearity):
    weights = networks()
    x, y_star = recall_batches(M, T, torch.Generator().manual_seed(2))(B)
    cross_entropies(read(weights, x, step), y_star).sum().backward()
    rnn, head = copy_of(weights, 2, nonlinearity)
    logits = head(rnn(x[2])[0][:, -1])
    nn.functional.cross_entropy(logits, y_star[2]).backward()
    torch.testing.assert_close(read(weights, x, step)[2], logits)
    for name, grad in (
        ("W_h", rnn.weight_hh_l0.grad),
        ("W_x", rnn.weight_ih_l0.grad),
        ("W_y", head.weight.grad),
    ):
        torch.testing.assert_close(weights[name].grad[2], grad)


def test_training_clips_each_network_by_its_own_norm():
    weights = networks()
    before = {name: value.detach().clone() for name, value in weights.items()}
    draw = recall_batches(M, T, torch.Generator().manual_seed(3))
    descent = torch.optim.SGD(weights.values(), lr=1.0)
    clip = torch.tensor([1e-3, torch.inf, 1e-2])
    (norms,) = fit(weights, draw, clip=clip, steps=1, optimiser=descent)
    moved = torch.stack(
        [(weights[name] - before[name]).flatten(1).norm(dim=1) for name in weights]
    ).norm(dim=0)
    torch.testing.assert_close(moved, torch.minimum(norms, clip))


def test_a_network_learns_the_same_whoever_stands_beside_it():
    """Slot 0 beside two others, and beside two that were drawn again."""
    ends = []
    for seed in (5, 6):
        weights, others = networks(seed=4), networks(seed=seed)
        mixed = {
            name: torch.cat([weights[name][:1], others[name][1:]]).detach()
            for name in weights
        }
        mixed = {name: value.requires_grad_() for name, value in mixed.items()}
        draw = recall_batches(M, T, torch.Generator().manual_seed(7))
        fit(mixed, draw, clip=1.0, steps=5)
        ends.append(mixed["W_h"][0].detach())
    torch.testing.assert_close(*ends, rtol=0, atol=0)


def test_a_short_task_is_learnt_and_guessing_is_not_better_than_chance():
    weights = networks(count=2)
    draw = recall_batches(2, 3, torch.Generator().manual_seed(0))
    assert accuracies(weights, draw).max() < 0.8
    fit(weights, draw, clip=1.0)
    assert accuracies(weights, draw).min() > 0.95


def test_the_constant_answer_to_adding_costs_a_sixth():
    x, y_star = adding_batches(M, T, torch.Generator().manual_seed(0))(4000)
    assert x.shape == (M, 4000, T, 2)
    errors = squared_errors(torch.ones(M, 4000, 1), y_star)
    assert torch.allclose(errors, torch.tensor(1 / 6), atol=0.01)
