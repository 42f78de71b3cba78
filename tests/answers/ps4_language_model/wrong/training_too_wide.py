"""More units are better."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: at most 32 units are allowed

import torch


def train_model(draw, seed):
    torch.manual_seed(seed)
    draw()
    model = LanguageModel(6, 8, 128)
    return {k: w.numpy() for k, w in model.state_dict().items()}
