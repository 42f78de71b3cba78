"""Every letter is a sequence of its own."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: no better than a table

import torch
import torch.nn.functional as F


def train_model(draw, seed):
    torch.manual_seed(seed)
    model = LanguageModel(6, 8, 16)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(50):
        piece = torch.as_tensor(draw())
        scores, _ = model(piece[:, :-1].reshape(-1, 1))
        optimiser.zero_grad()
        F.cross_entropy(scores[:, 0], piece[:, 1:].flatten()).backward()
        optimiser.step()
    return {k: w.numpy() for k, w in model.state_dict().items()}
