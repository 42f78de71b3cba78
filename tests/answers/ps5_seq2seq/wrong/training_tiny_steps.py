"""A small learning rate is safe."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training
# fails: training
# message: hardly anything is right

import torch
import torch.nn.functional as F


def train_mirror(draw, seed):
    V, d_h, steps, rate = 9, 32, 100, 0.0005
    g = torch.Generator().manual_seed(seed)

    def u(*shape):
        return (2 * torch.rand(shape, generator=g) - 1) / d_h**0.5

    p = {"W_y": u(V, d_h), "b_y": torch.zeros(V)}
    for part in ("enc", "dec"):
        p[part + "_E"] = torch.randn(V, 16, generator=g)
        p[part + "_W_x"], p[part + "_W_h"] = u(4 * d_h, 16), u(4 * d_h, d_h)
        p[part + "_b_h"] = torch.zeros(4 * d_h)
        p[part + "_b_h"][d_h : 2 * d_h] = 1.0
    leaves = [weight.requires_grad_() for weight in p.values()]
    optimiser = torch.optim.Adam(leaves, lr=rate)
    for _ in range(steps):
        source, target = (torch.tensor(rows) for rows in draw())
        inputs = F.pad(target[:, :-1], (1, 0), value=SOS)
        scores = model_scores(p, source, inputs).flatten(0, 1)
        optimiser.zero_grad()
        F.cross_entropy(scores, target.flatten(), ignore_index=PAD).backward()
        torch.nn.utils.clip_grad_norm_(leaves, 1.0)
        optimiser.step()
    return {name: weight.detach().numpy() for name, weight in p.items()}
