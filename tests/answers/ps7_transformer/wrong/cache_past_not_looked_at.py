"""The past is kept, the new position looks at itself."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_cache
# fails: cache, cache_many
# message: the past is not looked at

import torch


def cached_block(y, past, read, p, heads, memory_mask=None):
    N = y.shape[1]
    z = layer_norm(y, **p["norm_attend"])
    k, v = keys_values(z, p["attend"], heads)
    mask = torch.ones(N, N, dtype=torch.bool).tril()
    y = y + attend(z, k, v, p["attend"], heads, mask)
    if past is not None:
        k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
    z = layer_norm(y, **p["norm_cross"])
    y = y + attend(z, *read, p["cross"], heads, memory_mask)
    return y + feed_forward(layer_norm(y, **p["norm_feed"]), p["feed"]), (k, v)
