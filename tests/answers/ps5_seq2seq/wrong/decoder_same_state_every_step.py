"""The summary v is what every step begins from."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder
# fails: decoder
# message: hand the state on

import numpy as np


def decoder_scores(inputs, h_0, c_0, E, W_x, W_h, b_h, W_y, b_y):
    scores = []
    for words in inputs.T:
        h, _ = lstm_step(E[words], h_0, c_0, W_x, W_h, b_h)
        scores.append(h @ W_y.T + b_y)
    return np.stack(scores, axis=1)
