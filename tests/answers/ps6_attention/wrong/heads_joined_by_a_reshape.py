"""Joining is a reshape."""

# replaces: answer_split
# fails: heads
# message: a reshape alone mixes


def split_heads(x, heads):
    B, T, d = x.shape
    return x.reshape(B, T, heads, d // heads).transpose(0, 2, 1, 3)


# replaces: answer_join


def join_heads(x):
    B, H, T, d = x.shape
    return x.reshape(B, T, H * d)
