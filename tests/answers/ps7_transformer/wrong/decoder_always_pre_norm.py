"""Nobody uses post-norm any more."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder
# fails: decoder_post
# message: this is pre-norm


def decoder_block(y, memory, p, heads, mask, memory_mask=None, norm_first=True):
    norm_first = True

    def around(y, sub_layer, norm):
        if norm_first:
            return y + sub_layer(layer_norm(y, **norm))
        return layer_norm(y + sub_layer(y), **norm)

    def look(z):
        return multi_head(z, z, p["attend"], heads, mask)

    def read(z):
        return multi_head(z, memory, p["cross"], heads, memory_mask)

    y = around(y, look, p["norm_attend"])
    y = around(y, read, p["norm_cross"])
    return around(y, lambda z: feed_forward(z, p["feed"]), p["norm_feed"])
