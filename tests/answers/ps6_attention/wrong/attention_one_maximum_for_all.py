"""One maximum for all scores is subtracted; rows far below it become 0."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_attention
# fails: dot_product, masked_attention
# message: the output is off

import numpy as np


def attention(q, k, v, mask=None):
    s = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
    e = np.exp(s - s.max())
    if mask is not None:
        e = e * mask
    t = e.sum(2, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return w @ v, w
