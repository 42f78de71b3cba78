"""Each sentence goes through alone, each head in a loop."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder

import torch


def heads_of(z, w, heads, mask):
    made, size = [], z.shape[1] // heads
    for h in range(heads):
        at = slice(h * size, (h + 1) * size)
        q, k, v = (z @ w[f"W_{c}"][at].T + w[f"b_{c}"][at] for c in "qkv")
        scores = q @ k.T / size**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        made.append(scores.softmax(dim=1) @ v)
    return torch.cat(made, dim=1) @ w["W_o"].T + w["b_o"]


def encoder_block(x, p, heads, mask=None, norm_first=True):
    rows = []
    for b, row in enumerate(x):
        own = mask[b] if mask is not None and mask.dim() == 3 else mask
        if norm_first:
            z = layer_norm(row, **p["norm_attend"])
            row = row + heads_of(z, p["attend"], heads, own)
            row = row + feed_forward(layer_norm(row, **p["norm_feed"]), p["feed"])
        else:
            row = row + heads_of(row, p["attend"], heads, own)
            row = layer_norm(row, **p["norm_attend"])
            row = layer_norm(row + feed_forward(row, p["feed"]), **p["norm_feed"])
        rows.append(row)
    return torch.stack(rows)
