"""LayerNorm without a bias."""

# replaces: answer_norm
# fails: norm
# message: this is LayerNorm

import numpy as np


def rms_norm(x, g, eps):
    x = x - x.mean(axis=-1, keepdims=True)
    return g * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
