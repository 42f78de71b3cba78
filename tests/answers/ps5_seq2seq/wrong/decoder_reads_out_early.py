"""The scores of a step come from the state in which it begins."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder
# fails: decoder
# message: take the one after it

import numpy as np


def decoder_scores(inputs, h_0, c_0, E, W_x, W_h, b_h, W_y, b_y):
    h, c, scores = h_0, c_0, []
    for words in inputs.T:
        scores.append(h @ W_y.T + b_y)
        h, c = lstm_step(E[words], h, c, W_x, W_h, b_h)
    return np.stack(scores, axis=1)
