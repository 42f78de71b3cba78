"""torch's model, 24 wide, two batches at a time, weights returned as arrays."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training

import torch
import torch.nn.functional as F
from torch import nn


def plain(p):
    if isinstance(p, dict):
        return {name: plain(part) for name, part in p.items()}
    return [plain(part) for part in p] if isinstance(p, list) else p.detach().numpy()


def train_numbers(draw, seed):
    p, steps = fresh_weights(seed, d=24, d_ff=64), 120
    weights = [leaf.requires_grad_() for leaf in leaves(p)]
    optimiser = torch.optim.AdamW(weights, lr=0.012, weight_decay=1e-3, fused=True)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 0.012 * min(1.0, (step + 1) / 10, 2 - 2 * step / steps)
        source, target = (torch.cat(rows) for rows in zip(draw(), draw(), strict=True))
        inputs = target.roll(1, dims=1)
        inputs[:, 0] = SOS
        log_p = given_model(p, source, inputs).log_softmax(dim=2)
        loss = F.nll_loss(log_p.flatten(0, 1), target.flatten(), ignore_index=PAD)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
    return plain(p)
