"""Where no mask of the memory is given, the other one is meant, if it fits."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder
# fails: decoder_pre, decoder_post
# message: mask is for the target


def decoder_block(y, memory, p, heads, mask, memory_mask=None, norm_first=True):
    if memory_mask is None and y.shape[1] == memory.shape[1]:
        memory_mask = mask
    parts = {
        "norm_attend": lambda z: multi_head(z, z, p["attend"], heads, mask),
        "norm_cross": lambda z: multi_head(z, memory, p["cross"], heads, memory_mask),
        "norm_feed": lambda z: feed_forward(z, p["feed"]),
    }
    for name, part in parts.items():
        w = p[name]
        y = y + part(layer_norm(y, **w)) if norm_first else layer_norm(y + part(y), **w)
    return y
