"""Read, then write."""

# replaces: answer_delta
# fails: delta
# message: it is read before it is written

import numpy as np


def delta_rule(q, k, v, alpha, beta, S_0):
    S, y = S_0, []
    for t in range(len(q)):
        y.append(S @ q[t])
        S = alpha[t] * S
        S = S + beta[t] * np.outer(v[t] - S @ k[t], k[t])
    return np.array(y), S
