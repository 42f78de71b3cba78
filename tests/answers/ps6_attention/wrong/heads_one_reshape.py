"""One reshape to the shape asked for."""

# replaces: answer_split
# fails: heads
# message: one reshape mixes


def split_heads(x, heads):
    B, T, d = x.shape
    return x.reshape(B, heads, T, d // heads)


# replaces: answer_join


def join_heads(x):
    B, H, T, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, H * d)
