"""The state of a network is h, so h is what has to be kept."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder
# message: h is right, so look at c

import numpy as np


def encode(source, E, W_x, W_h, b_h):
    h = c = np.zeros((len(source), W_h.shape[1]))
    for words in source.T:
        new, c = lstm_step(E[words], h, c, W_x, W_h, b_h)
        h = np.where((words != PAD)[:, None], new, h)
    return h, c
