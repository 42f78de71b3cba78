"""A narrower model, AdamW, and gentle steps for all weights in the end."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_training

import torch
import torch.nn.functional as F


def pretrain_and_tune(draw, labelled, seed):
    torch.manual_seed(seed)
    d = 12
    rows = {"E": 62, "P": 4, "W_q": d, "W_k": d, "W_v": d, "W_w": 62, "W_c": 3}
    p = {name: torch.nn.Parameter(0.2 * torch.randn(n, d)) for name, n in rows.items()}
    reader = torch.optim.AdamW(p.values(), lr=0.03, weight_decay=0.0)
    for _ in range(250):
        words = torch.from_numpy(draw())
        place = torch.randint(4, (len(words),))  # one gap in each sentence
        every = torch.arange(len(words))
        seen = words.clone()
        seen[every, place] = MASK
        loss = F.cross_entropy(word_scores(p, seen)[every, place], words[every, place])
        reader.zero_grad()
        loss.backward()
        reader.step()
    words, kinds = (torch.from_numpy(a) for a in labelled)
    tuner = torch.optim.AdamW(p.values(), lr=0.005)
    for _ in range(60):
        tuner.zero_grad()
        F.cross_entropy(kind_scores(p, words), kinds).backward()
        tuner.step()
    return {name: w.detach().numpy() for name, w in p.items()}
