"""Multiplying by the mask takes padding out."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder
# message: set to zero; they keep their state

import numpy as np


def encode(source, E, W_x, W_h, b_h):
    h = c = np.zeros((len(source), W_h.shape[1]))
    for words in source.T:
        real = (words != PAD)[:, None]
        h, c = lstm_step(E[words], h, c, W_x, W_h, b_h)
        h, c = h * real, c * real
    return h, c
