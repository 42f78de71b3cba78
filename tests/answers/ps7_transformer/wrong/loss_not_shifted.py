"""The mask hides the future; the target goes in as it is."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: shift
# message: before the first word comes <sos>

import torch
import torch.nn.functional as F


def training_loss(model, source, target):
    inputs = target
    source_mask = (source != PAD)[:, None]
    U = target.shape[1]
    causal = torch.ones(U, U, dtype=torch.bool).tril()
    scores = model(source, inputs, source_mask, causal)
    return F.cross_entropy(scores.transpose(1, 2), target, ignore_index=PAD)
