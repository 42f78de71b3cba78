"""Losses of token models against sums written out by hand."""

import pytest
import torch

from course_lib.data.vocabulary import EOS, PAD, SOS, padded
from course_lib.models.losses import masked_cross_entropy, next_token_loss, shifted

V = 13
TARGETS = padded([[3, 12, EOS], [4, 5, 6, 7, EOS], [EOS]])


@pytest.fixture
def logits() -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    shape = (*TARGETS.shape, V)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def by_hand(logits: torch.Tensor, counted: torch.Tensor) -> torch.Tensor:
    """The mean of -log p over the entries that count, one after the other."""
    log_p = logits - logits.exp().sum(dim=2, keepdim=True).log()
    costs = [-log_p[b, t, TARGETS[b, t]] for b, t in torch.nonzero(counted).tolist()]
    return torch.stack(costs).mean()


def test_decoder_inputs_are_the_targets_one_step_later():
    assert shifted(TARGETS).tolist() == [
        [SOS, 3, 12, EOS, PAD],
        [SOS, 4, 5, 6, 7],
        [SOS, EOS, PAD, PAD, PAD],
    ]


def test_padding_does_not_count(logits):
    got = masked_cross_entropy(logits, TARGETS)
    assert int((TARGETS != PAD).sum()) == 9
    assert torch.allclose(got, by_hand(logits, TARGETS != PAD), atol=1e-12)
    logits[TARGETS == PAD] += 100 * torch.eye(V, dtype=torch.float64)[5]
    assert torch.equal(got, masked_cross_entropy(logits, TARGETS))


def test_only_what_is_asked_counts_and_everything_if_nothing_is_said(logits):
    asked = torch.zeros_like(TARGETS, dtype=torch.bool)
    asked[1, 2:4] = asked[2, 0] = True
    got = next_token_loss(logits, TARGETS, asked)
    assert torch.allclose(got, by_hand(logits, asked), atol=1e-12)
    everything = by_hand(logits, torch.ones_like(asked))
    assert torch.allclose(next_token_loss(logits, TARGETS), everything, atol=1e-12)
