"""Text is cheap."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training
# fails: training
# message: more than 300 times

import torch


def train_model(draw, seed):
    torch.manual_seed(seed)
    texts = [draw() for _ in range(1000)]
    model = LanguageModel(6, 8, 32)
    model(torch.as_tensor(texts[0]))
    return {k: w.numpy() for k, w in model.state_dict().items()}
