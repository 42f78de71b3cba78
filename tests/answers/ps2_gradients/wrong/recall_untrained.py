"""A good start is all one needs."""

# replaces: answer_recall
# fails: recall
# message: nothing was trained

import torch
import torch.nn.functional as F


def train_recall(draw, seed):
    d = 24
    generator = torch.Generator().manual_seed(seed)
    p = [
        torch.eye(d),
        torch.empty(d, 9).uniform_(-1 / d**0.5, 1 / d**0.5, generator=generator),
        torch.zeros(d),
        torch.empty(4, d).uniform_(-1 / d**0.5, 1 / d**0.5, generator=generator),
        torch.zeros(4),
    ]
    W_h, W_x, b_h, W_y, b_y = [q.requires_grad_() for q in p]
    optimiser = torch.optim.Adam(p, lr=0.005)
    for _ in range(0):
        x, y = draw()
        h = torch.zeros(len(x), d)
        for x_t in torch.tensor(x).float().unbind(1):
            h = torch.relu(h @ W_h.T + x_t @ W_x.T + b_h)
        loss = F.cross_entropy(h @ W_y.T + b_y, torch.tensor(y))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(p, 1.0)
        optimiser.step()
    names = ["W_h", "W_x", "b_h", "W_y", "b_y"]
    trained = {name: q.detach().numpy() for name, q in zip(names, p, strict=True)}
    return trained | {"activation": "relu"}
