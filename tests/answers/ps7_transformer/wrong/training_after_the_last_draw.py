"""Time is only looked at when draw() is called."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training
# fails: training
# message: time is up: 12
# rule: seconds

import time

import torch
import torch.nn.functional as F


def train_numbers(draw, seed):
    p, model = fresh_weights(seed), working_model()
    weights = [leaf.requires_grad_() for leaf in leaves(p)]
    optimiser = torch.optim.Adam(weights, lr=0.01, fused=True)
    for step in range(160):
        rise, fall = (step + 1) / 16, 2 - step / 80
        optimiser.param_groups[0]["lr"] = 0.01 * min(1.0, rise, fall)
        source, target = draw()
        inputs = F.pad(target[:, :-1], (1, 0), value=SOS)
        scores = model(p, source, inputs)
        loss = F.cross_entropy(scores.flatten(0, 1), target.flatten(), ignore_index=PAD)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
    start = time.process_time()
    while time.process_time() - start < 12.2:
        torch.ones(50, 50) @ torch.ones(50, 50)
    return p
