"""The loss as a number of Python, through which no gradient flows."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_loss
# fails: padded_loss
# message: return the tensor itself

import torch
import torch.nn.functional as F


def training_loss(model, source, target):
    inputs = F.pad(target[:, :-1], (1, 0), value=SOS)
    U = target.shape[1]
    scores = model(
        source,
        inputs,
        (source != PAD)[:, None],
        torch.ones(U, U, dtype=torch.bool).tril(),
    )
    return F.cross_entropy(
        scores.flatten(0, 1), target.flatten(), ignore_index=PAD
    ).item()
