"""The heads are the last axis of the reshape."""

# replaces: answer_split
# fails: heads
# message: not every H-th one


def split_heads(x, heads):
    B, T, d = x.shape
    return x.reshape(B, T, d // heads, heads).transpose(0, 3, 1, 2)


# replaces: answer_join


def join_heads(x):
    B, H, T, d = x.shape
    return x.transpose(0, 2, 3, 1).reshape(B, T, H * d)
