"""The softmax is taken at once."""

# replaces: answer_additive
# fails: additive
# message: before the softmax

import numpy as np


def additive_scores(s, f, W_q, W_k, w):
    e = np.tanh((s @ W_q.T)[:, None] + f @ W_k.T) @ w
    e = np.exp(e - e.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
