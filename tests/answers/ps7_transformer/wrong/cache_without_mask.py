"""All that is kept lies in the past."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_cache
# fails: cache_many
# message: a new position sees later new ones

import torch


def cached_block(y, past, read, p, heads, memory_mask=None):
    z = layer_norm(y, **p["norm_attend"])
    k, v = keys_values(z, p["attend"], heads)
    if past is not None:
        k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
    y = y + attend(z, k, v, p["attend"], heads)
    z = layer_norm(y, **p["norm_cross"])
    y = y + attend(z, *read, p["cross"], heads, memory_mask)
    return y + feed_forward(layer_norm(y, **p["norm_feed"]), p["feed"]), (k, v)
