"""x is normed, and then goes both ways."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_pre
# message: the residual takes N(x) in place of x


def encoder_block(x, p, heads, mask=None, norm_first=True):
    if norm_first:
        x = layer_norm(x, **p["norm_attend"])
        x = x + multi_head(x, x, p["attend"], heads, mask)
        x = layer_norm(x, **p["norm_feed"])
        return x + feed_forward(x, p["feed"])
    x = layer_norm(x + multi_head(x, x, p["attend"], heads, mask), **p["norm_attend"])
    return layer_norm(x + feed_forward(x, p["feed"]), **p["norm_feed"])
