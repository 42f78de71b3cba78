"""Axes of length 1 are in the way."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_attention
# fails: dot_product, masked_attention
# message: the output has shape

import numpy as np


def attention(q, k, v, mask=None):
    weights = masked_softmax(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2]), mask)
    return (weights @ v).squeeze(), weights
