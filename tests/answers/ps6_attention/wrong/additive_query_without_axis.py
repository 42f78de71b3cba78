"""The query is added as it is, (B, d_a) to (B, T, d_a)."""

# replaces: answer_additive
# fails: additive
# message: the shapes do not fit

import numpy as np


def additive_scores(s, f, W_q, W_k, w):
    return np.tanh(s @ W_q.T + f @ W_k.T) @ w
