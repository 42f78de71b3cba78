"""Decay and write."""

# replaces: answer_delta
# fails: delta
# message: nothing is taken away

import numpy as np


def delta_rule(q, k, v, alpha, beta, S_0):
    S, y = S_0, []
    for t in range(len(q)):
        S = alpha[t] * S + beta[t] * np.outer(v[t], k[t])
        y.append(S @ q[t])
    return np.array(y), S
