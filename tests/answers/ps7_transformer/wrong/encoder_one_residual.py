"""One residual around the block."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_pre, encoder_post
# message: silent


def encoder_block(x, p, heads, mask=None, norm_first=True):
    if norm_first:
        z = layer_norm(x, **p["norm_attend"])
        z = layer_norm(multi_head(z, z, p["attend"], heads, mask), **p["norm_feed"])
        return x + feed_forward(z, p["feed"])
    z = layer_norm(multi_head(x, x, p["attend"], heads, mask), **p["norm_attend"])
    return layer_norm(x + feed_forward(z, p["feed"]), **p["norm_feed"])
