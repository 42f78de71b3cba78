"""More is better."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training
# fails: training
# message: called more than 250 times

import torch
import torch.nn.functional as F


def train_numbers(draw, seed):
    p, model = fresh_weights(seed), working_model()
    weights = [leaf.requires_grad_() for leaf in leaves(p)]
    optimiser = torch.optim.Adam(weights, lr=0.01, fused=True)
    for _ in range(251):
        source, target = draw()
        inputs = F.pad(target[:, :-1], (1, 0), value=SOS)
        scores = model(p, source, inputs).transpose(1, 2)
        loss = F.cross_entropy(scores, target, ignore_index=PAD)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return p
