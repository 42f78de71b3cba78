"""Padding is number 0 and will do no harm."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder
# message: padding was read as if it were a word

import numpy as np


def encode(source, E, W_x, W_h, b_h):
    h = c = np.zeros((len(source), W_h.shape[1]))
    for words in source.T:
        h, c = lstm_step(E[words], h, c, W_x, W_h, b_h)
    return h, c
