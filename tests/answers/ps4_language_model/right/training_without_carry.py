"""Every piece by itself, clipped, a rate that falls in steps; tensors as result."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training

import torch
from torch import nn


def train_model(draw, seed):
    torch.manual_seed(seed)
    model, criterion = LanguageModel(6, 16, 32), nn.CrossEntropyLoss()
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.03, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.StepLR(optimiser, 60, gamma=0.3)
    for _ in range(150):
        piece = torch.tensor(draw())
        scores, _ = model(piece[:, :-1])
        loss = criterion(scores.transpose(1, 2), piece[:, 1:])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    return dict(model.state_dict())
