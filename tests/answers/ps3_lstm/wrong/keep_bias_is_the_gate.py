"""The gate itself is taken for its bias."""

# replaces: answer_keep_bias
# fails: keep_bias
# message: this is the gate


def keep_bias(b_h, share, steps):
    new = b_h.copy().reshape(4, -1)
    new[1] = share ** (1 / steps)
    return new.ravel()
