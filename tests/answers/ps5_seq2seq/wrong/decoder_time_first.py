"""np.array of the list of steps is the result."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder
# fails: decoder
# message: the batch comes first

import numpy as np


def decoder_scores(inputs, h_0, c_0, E, W_x, W_h, b_h, W_y, b_y):
    h, c, scores = h_0, c_0, []
    for words in inputs.T:
        h, c = lstm_step(E[words], h, c, W_x, W_h, b_h)
        scores.append(h @ W_y.T + b_y)
    return np.array(scores)
