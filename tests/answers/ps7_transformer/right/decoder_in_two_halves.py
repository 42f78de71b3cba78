"""Keys and values first, then the queries; torch's norm."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder

import torch.nn.functional as F


def decoder_block(y, memory, p, heads, mask, memory_mask=None, norm_first=True):
    def norm(z, name):
        return F.layer_norm(z, (z.shape[2],), *p[name].values(), EPS)

    z = norm(y, "norm_attend") if norm_first else y
    k, v = keys_values(z, p["attend"], heads)
    y = y + attend(z, k, v, p["attend"], heads, mask)
    if not norm_first:
        y = norm(y, "norm_attend")
    z = norm(y, "norm_cross") if norm_first else y
    k, v = keys_values(memory, p["cross"], heads)
    y = y + attend(z, k, v, p["cross"], heads, memory_mask)
    if not norm_first:
        y = norm(y, "norm_cross")
    z = norm(y, "norm_feed") if norm_first else y
    hidden = F.relu(F.linear(z, p["feed"]["W_1"], p["feed"]["b_1"]))
    y = y + F.linear(hidden, p["feed"]["W_2"], p["feed"]["b_2"])
    return y if norm_first else norm(y, "norm_feed")
