"""The queries are normed; keys and values are x."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_pre
# message: the attention half of a pre-norm block


def encoder_block(x, p, heads, mask=None, norm_first=True):
    n_1, n_2 = p["norm_attend"], p["norm_feed"]
    if norm_first:
        z = layer_norm(x, **n_1)
        x = x + multi_head(z, x, p["attend"], heads, mask)
        return x + feed_forward(layer_norm(x, **n_2), p["feed"])
    x = layer_norm(x + multi_head(x, x, p["attend"], heads, mask), **n_1)
    return layer_norm(x + feed_forward(x, p["feed"]), **n_2)
