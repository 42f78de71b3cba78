"""The network is trained to say what it reads."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: shift the targets

import torch
import torch.nn.functional as F


def train_model(draw, seed):
    torch.manual_seed(seed)
    model = LanguageModel(6, 8, 16)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(40):
        piece = torch.as_tensor(draw())
        scores, _ = model(piece)
        optimiser.zero_grad()
        F.cross_entropy(scores.flatten(0, 1), piece.flatten()).backward()
        optimiser.step()
    return {k: w.numpy() for k, w in model.state_dict().items()}
