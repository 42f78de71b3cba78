"""A position must not see its own input."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: shift
# message: the first one sees nothing

import torch
import torch.nn.functional as F


def training_loss(model, source, target):
    inputs = F.pad(target[:, :-1], (1, 0), value=SOS)
    source_mask = (source != PAD)[:, None]
    U = target.shape[1]
    causal = torch.ones(U, U, dtype=torch.bool).tril(-1)
    scores = model(source, inputs, source_mask, causal)
    return F.cross_entropy(scores.transpose(1, 2), target, ignore_index=PAD)
