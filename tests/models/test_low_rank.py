"""LoRA: equal to its formula, merged equal to unmerged, frozen where it must be."""

import pytest
import torch

from course_lib.check import max_difference
from course_lib.models.gpt import GPT
from course_lib.models.low_rank import (
    LowRank,
    matrices,
    merged,
    trained,
    with_low_rank,
)
from course_lib.seeds import set_seed


@pytest.fixture
def base() -> GPT:
    set_seed(0)
    return GPT(13, d_model=10, heads=2, layers=3, context=17, d_ff=23).double()


def with_noise(adapted: GPT) -> GPT:
    """As if it had been trained: B is no longer zero."""
    for parameter in trained(adapted):
        torch.nn.init.normal_(parameter, std=0.3)
    return adapted


def test_the_product_is_added_to_the_matrix():
    W = torch.randn(5, 7, dtype=torch.float64)
    part = LowRank(W, 3).double()
    assert (part.B.shape, part.A.shape) == ((5, 3), (3, 7))
    assert torch.equal(part(W), W)
    torch.nn.init.normal_(part.B)
    x = torch.randn(2, 7, dtype=torch.float64)
    by_formula = x @ W.T + (x @ part.A.T) @ part.B.T
    assert max_difference(x @ part(W).T, by_formula.detach()) < 1e-12
    assert torch.linalg.matrix_rank(part(W) - W) == 3


def test_a_fresh_adapter_changes_nothing_and_merged_is_unmerged(base):
    tokens = torch.randint(13, (2, 11))
    adapted = with_low_rank(base, 2)
    assert max_difference(adapted(tokens), base(tokens)) == 0
    with_noise(adapted.double())
    assert max_difference(adapted(tokens), base(tokens)) > 1e-2
    plain = merged(adapted, base)
    assert max_difference(plain(tokens), adapted(tokens)) < 1e-10
    assert set(plain.state_dict()) == set(base.state_dict())


def test_only_the_thin_matrices_are_trained(base):
    adapted = with_low_rank(base, 2)
    shapes = [module.get_parameter(name).shape for module, name in matrices(base)]
    assert len(shapes) == 3 * 6  # four of attention, two of the feed-forward network
    count = sum(p.numel() for p in trained(adapted))
    assert count == sum(2 * (d_out + d_in) for d_out, d_in in shapes)
    before = {name: p.clone() for name, p in adapted.named_parameters()}
    torch.optim.SGD(trained(adapted), 1.0)
    adapted.loss(torch.randint(13, (2, 11))).backward()
    moved = {name for name, p in adapted.named_parameters() if p.grad is not None}
    assert moved == {name for name in before if name.endswith((".A", ".B"))}


def test_the_base_model_is_left_alone(base):
    before = {name: value.clone() for name, value in base.state_dict().items()}
    plain = merged(with_noise(with_low_rank(base, 2)).double(), base)
    assert all(torch.equal(v, before[n]) for n, v in base.state_dict().items())
    assert all(p.requires_grad for p in base.parameters())
    assert not torch.equal(plain.layers[0].attend.W_q, base.layers[0].attend.W_q)


@pytest.mark.parametrize("rank", [0, 6])
def test_a_rank_that_cannot_be_is_refused(rank):
    with pytest.raises(ValueError, match=f"rank {rank} for a matrix of 5 by 7"):
        LowRank(torch.zeros(5, 7), rank)
