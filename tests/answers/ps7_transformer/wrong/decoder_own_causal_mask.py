"""A decoder's mask is causal, whatever is handed over."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder
# fails: decoder_pre, decoder_post
# message: for a causal one of its own


def decoder_block(y, memory, p, heads, mask, memory_mask=None, norm_first=True):
    causal = torch.ones(y.shape[1], y.shape[1], dtype=torch.bool).tril()
    parts = {
        "norm_attend": lambda z: multi_head(z, z, p["attend"], heads, causal),
        "norm_cross": lambda z: multi_head(z, memory, p["cross"], heads, memory_mask),
        "norm_feed": lambda z: feed_forward(z, p["feed"]),
    }
    for name, part in parts.items():
        w = p[name]
        y = y + part(layer_norm(y, **w)) if norm_first else layer_norm(y + part(y), **w)
    return y
