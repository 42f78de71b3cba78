"""As in the paper of 2017."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder_pre
# message: this is post-norm


def encoder_block(x, p, heads, mask=None, norm_first=True):
    x = x + multi_head(x, x, p["attend"], heads, mask)
    x = layer_norm(x, **p["norm_attend"])
    return layer_norm(x + feed_forward(x, p["feed"]), **p["norm_feed"])
