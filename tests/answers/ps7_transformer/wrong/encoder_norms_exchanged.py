"""The second norm comes first."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_pre, encoder_post
# message: the two norms are exchanged


def encoder_block(x, p, heads, mask=None, norm_first=True):
    n_2, n_1 = p["norm_attend"], p["norm_feed"]
    if norm_first:
        z = layer_norm(x, **n_1)
        x = x + multi_head(z, z, p["attend"], heads, mask)
        return x + feed_forward(layer_norm(x, **n_2), p["feed"])
    x = layer_norm(x + multi_head(x, x, p["attend"], heads, mask), **n_1)
    return layer_norm(x + feed_forward(x, p["feed"]), **n_2)
