"""It works from any start."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: train_model gave two results for one seed
# rule: seeded

import torch
import torch.nn.functional as F


def train_model(draw, seed):
    torch.seed()
    model, state, steps = LanguageModel(6, 8, 32), None, 140
    optimiser = torch.optim.Adam(model.parameters(), lr=0.03)
    for step in range(steps):
        if step == 2 * steps // 3:
            optimiser.param_groups[0]["lr"] = 0.006
        piece = torch.as_tensor(draw())
        scores, state = model(piece[:, :-1], state)
        state = tuple(part.detach() for part in state)
        loss = F.cross_entropy(scores.flatten(0, 1), piece[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return {name: weight.numpy() for name, weight in model.state_dict().items()}
