"""<eos> is a sign and not a word, so it is not read."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_encoder
# fails: encoder
# message: <eos> was not read

import numpy as np


def encode(source, E, W_x, W_h, b_h):
    h = c = np.zeros((len(source), W_h.shape[1]))
    for words in source.T:
        new_h, new_c = lstm_step(E[words], h, c, W_x, W_h, b_h)
        h = np.where((words > EOS)[:, None], new_h, h)
        c = np.where((words > EOS)[:, None], new_c, c)
    return h, c
