"""Names of one's own."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: the weights are

import torch


def train_model(draw, seed):
    torch.manual_seed(seed)
    model = LanguageModel(6, 8, 32)
    model(torch.as_tensor(draw()))
    return {f"model.{k}": w.numpy() for k, w in model.state_dict().items()}
