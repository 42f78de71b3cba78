"""Post-norm means: norm what the sub-layer made, then add."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_post
# message: N_2(N_1(x))


def encoder_block(x, p, heads, mask=None, norm_first=True):
    n_1, n_2 = p["norm_attend"], p["norm_feed"]
    if norm_first:
        z = layer_norm(x, **n_1)
        x = x + multi_head(z, z, p["attend"], heads, mask)
        return x + feed_forward(layer_norm(x, **n_2), p["feed"])
    x = x + layer_norm(multi_head(x, x, p["attend"], heads, mask), **n_1)
    return x + layer_norm(feed_forward(x, p["feed"]), **n_2)
