"""The right weights by luck."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: draw() was never called

import torch


def train_model(draw, seed):
    torch.manual_seed(seed)
    model = LanguageModel(6, 8, 32)
    return {k: w.numpy() for k, w in model.state_dict().items()}
