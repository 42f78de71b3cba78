"""torch's modules for the start, one rate of learning, all batches."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training

import torch
from torch import nn


def train_mirror(draw, seed):
    torch.manual_seed(seed)
    p = {"b_y": torch.zeros(9), "W_y": nn.Linear(32, 9).weight.detach()}
    for part in ("enc", "dec"):
        cell = nn.LSTMCell(24, 32)
        p[part + "_E"] = nn.Embedding(9, 24).weight.detach()
        p[part + "_W_x"] = cell.weight_ih.detach()
        p[part + "_W_h"] = cell.weight_hh.detach()
        p[part + "_b_h"] = cell.bias_ih.detach()
    for weight in p.values():
        weight.requires_grad = True
    optimiser = torch.optim.Adam(p.values(), lr=0.01)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    for _ in range(250):
        source, target = map(torch.from_numpy, draw())
        start = torch.full((len(target), 1), SOS)
        inputs = torch.cat([start, target[:, :-1]], dim=1)
        loss = criterion(model_scores(p, source, inputs).transpose(1, 2), target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return {name: weight.detach().numpy() for name, weight in p.items()}
