"""Labels are what counts."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training
# fails: training
# message: draw() was never called

import torch
import torch.nn.functional as F


def pretrain_and_tune(draw, labelled, seed):
    d, steps, rate = 16, 0, 0.03
    g = torch.Generator().manual_seed(seed)
    p = {"E": 0.1 * torch.randn(62, d, generator=g)}
    p["P"] = 0.1 * torch.randn(4, d, generator=g)
    for name, rows in {"W_q": d, "W_k": d, "W_v": d, "W_w": 62}.items():
        p[name] = torch.randn(rows, d, generator=g) / d**0.5
    p["W_c"] = torch.zeros(3, d)
    optimiser = torch.optim.Adam([w.requires_grad_() for w in p.values()], lr=rate)
    for _ in range(steps):
        words = torch.tensor(draw())
        hidden = torch.rand(words.shape, generator=g) < 0.25
        scores = word_scores(p, words.masked_fill(hidden, MASK))
        optimiser.zero_grad()
        F.cross_entropy(scores[hidden], words[hidden]).backward()
        optimiser.step()
    words, kinds = map(torch.tensor, labelled)
    optimiser = torch.optim.Adam([*p.values()], lr=0.02)
    for _ in range(60):
        optimiser.zero_grad()
        F.cross_entropy(kind_scores(p, words), kinds).backward()
        optimiser.step()
    return {name: w.detach().numpy() for name, w in p.items()}
