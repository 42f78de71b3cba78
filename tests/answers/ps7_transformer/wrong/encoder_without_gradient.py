"""Attention weights need no gradient."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_pre, encoder_post
# message: is a part of it cut off

import torch


def encoder_block(x, p, heads, mask=None, norm_first=True):
    def look(z):
        with torch.no_grad():
            return multi_head(z, z, p["attend"], heads, mask)

    if norm_first:
        x = x + look(layer_norm(x, **p["norm_attend"]))
        return x + feed_forward(layer_norm(x, **p["norm_feed"]), p["feed"])
    x = layer_norm(x + look(x), **p["norm_attend"])
    return layer_norm(x + feed_forward(x, p["feed"]), **p["norm_feed"])
