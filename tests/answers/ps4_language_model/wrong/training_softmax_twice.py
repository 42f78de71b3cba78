"""Cross-entropy wants probabilities."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: raw scores

import torch
import torch.nn.functional as F


def train_model(draw, seed):
    torch.manual_seed(seed)
    model = LanguageModel(6, 8, 16)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(100):
        piece = torch.as_tensor(draw())
        p = model(piece[:, :-1])[0].softmax(dim=-1)
        optimiser.zero_grad()
        F.cross_entropy(p.flatten(0, 1), piece[:, 1:].flatten()).backward()
        optimiser.step()
    return {k: w.numpy() for k, w in model.state_dict().items()}
