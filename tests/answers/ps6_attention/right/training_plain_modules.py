"""torch's modules for the start, AdamW, all batches, three heads."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training

import torch
from torch import nn


def train_recall(draw, seed):
    torch.manual_seed(seed)
    d, heads = 30, 3
    p = {name: nn.Embedding(n, d).weight for name, n in SIZES.items()}
    for name in ("W_q", "W_k", "W_v", "W_o"):
        p[name] = nn.Linear(d, d).weight
    p["W_y"] = nn.Linear(d, 10).weight
    optimiser = torch.optim.AdamW(p.values(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    for _ in range(250):
        *shelf, answer = [torch.from_numpy(array) for array in draw()]
        loss = criterion(recall_scores({**p, "heads": heads}, *shelf).mT, answer)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    result = {name: weight.detach().numpy() for name, weight in p.items()}
    result["heads"] = heads
    return result


SIZES = {"E_a": 11, "E_b": 11, "E_l": 11, "E_c": 5}
