"""A small learning rate is a safe one."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training=5/10
# message: more steps, smaller at last

import torch
import torch.nn.functional as F


def train_model(draw, seed):
    torch.manual_seed(seed)
    model = LanguageModel(6, 8, 32)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.003)
    for _ in range(140):
        piece = torch.as_tensor(draw())
        scores = model(piece[:, :-1])[0].flatten(0, 1)
        optimiser.zero_grad()
        F.cross_entropy(scores, piece[:, 1:].flatten()).backward()
        optimiser.step()
    return {k: w.numpy() for k, w in model.state_dict().items()}
