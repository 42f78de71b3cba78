"""tanh by its formula; where exp is infinite it is infinity by infinity."""

# replaces: answer_additive
# fails: additive
# message: not finite

import numpy as np


def additive_scores(s, f, W_q, W_k, w):
    a = f @ W_k.T + (s @ W_q.T)[:, None]
    up, down = np.exp(a), np.exp(-a)
    return ((up - down) / (up + down)) @ w
