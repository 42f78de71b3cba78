"""Twice the width learns in fewer steps."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training
# fails: training
# message: at most 32 is allowed

import torch
import torch.nn.functional as F


def train_numbers(draw, seed):
    p, model = fresh_weights(seed, 64, 64), working_model()
    weights = [leaf.requires_grad_() for leaf in leaves(p)]
    optimiser = torch.optim.Adam(weights, lr=0.01, fused=True)
    for _ in range(30):
        source, target = draw()
        inputs = F.pad(target[:, :-1], (1, 0), value=SOS)
        scores = model(p, source, inputs).transpose(1, 2)
        loss = F.cross_entropy(scores, target, ignore_index=PAD)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return p
