"""Write all of it."""

# replaces: answer_delta
# fails: delta
# message: beta is missing

import numpy as np


def delta_rule(q, k, v, alpha, beta, S_0):
    S, y = S_0, []
    for t in range(len(q)):
        S = alpha[t] * S
        S = S + np.outer(v[t] - S @ k[t], k[t])
        y.append(S @ q[t])
    return np.array(y), S
