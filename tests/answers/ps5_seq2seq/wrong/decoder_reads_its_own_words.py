"""Only the first word is read from the inputs, then the likeliest one."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_decoder
# fails: decoder
# message: it reads the words it likes best

import numpy as np


def decoder_scores(inputs, h_0, c_0, E, W_x, W_h, b_h, W_y, b_y):
    h, c, words, scores = h_0, c_0, inputs[:, 0], []
    for _ in range(inputs.shape[1]):
        h, c = lstm_step(E[words], h, c, W_x, W_h, b_h)
        scores.append(h @ W_y.T + b_y)
        words = scores[-1].argmax(axis=1)
    return np.stack(scores, axis=1)
