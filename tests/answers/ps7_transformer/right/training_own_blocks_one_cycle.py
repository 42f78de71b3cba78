"""The student's own blocks, called by name; torch's schedule."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training

import torch
import torch.nn.functional as F
from torch import nn


def train_numbers(draw, seed):
    p = fresh_weights(seed)
    weights = [leaf.requires_grad_() for leaf in leaves(p)]
    optimiser = torch.optim.Adam(weights, lr=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, 0.01, total_steps=170, pct_start=0.1
    )
    for _ in range(170):
        source, target = draw()
        start = torch.full((len(target), 1), SOS)
        scores = own_model(p, source, torch.cat([start, target[:, :-1]], dim=1))
        loss = F.cross_entropy(scores[target != PAD], target[target != PAD])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        schedule.step()
    return p
