"""The mask is turned round."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training
# fails: training
# message: too few are right

import torch
import torch.nn.functional as F


def train_recall(draw, seed):
    d, steps, rate = 32, 150, 0.01
    g = torch.Generator().manual_seed(seed)
    rows = {"E_a": 11, "E_b": 11, "E_l": 11, "E_c": 5}
    p = {name: torch.randn(n, d, generator=g) for name, n in rows.items()}
    for name in ("W_q", "W_k", "W_v", "W_o"):
        p[name] = torch.randn(d, d, generator=g) / d**0.5
    p["W_y"] = torch.randn(10, d, generator=g) / d**0.5
    leaves = [weight.requires_grad_() for weight in p.values()]
    p["heads"] = 2
    optimiser = torch.optim.Adam(leaves, lr=rate)
    for _ in range(steps):
        asked, labels, contents, look, answer = map(torch.tensor, draw())
        scores = recall_scores(p, asked, labels, contents, ~look)
        optimiser.zero_grad()
        F.cross_entropy(scores.flatten(0, 1), answer.flatten()).backward()
        optimiser.step()
    heads = p.pop("heads")
    return {"heads": heads} | {name: w.detach().numpy() for name, w in p.items()}
