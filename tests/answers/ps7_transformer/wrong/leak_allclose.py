"""torch.allclose as it comes, which allows for 1e-5 of each score."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_leaks
# fails: leak_toys
# message: a little

import torch


def leaks(model, target, V):
    a = model(target)
    for t in range(target.shape[1]):
        c = target.clone()
        c[:, t:] = (c[:, t:] + 1) % V
        if not torch.allclose(model(c)[:, : t + 1], a[:, : t + 1]):
            return True
    return False
