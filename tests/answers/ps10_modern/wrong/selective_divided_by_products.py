"""All at once: divide by what is left of each, add up, multiply again."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_selective
# fails: selective
# message: y has entries that are not finite


def selective_scan(x, a, s, B, C, h_0):
    left = np.cumprod(a, axis=0)
    fresh = s * x[:, :, None] * B[:, None]
    h = left * (h_0 + np.cumsum(fresh / left, axis=0))
    return np.einsum("tij,tj->ti", h, C), h[-1]
