"""Queries of length 1, as the keys."""

# replaces: answer_delta
# fails: delta
# message: decay, look, write, read

import numpy as np


def delta_rule(q, k, v, alpha, beta, S_0):
    S, ys = S_0, []
    for t in range(len(q)):
        S = alpha[t] * S
        S = S + beta[t] * np.outer(v[t] - S @ k[t], k[t])
        ys.append(S @ q[t] / np.linalg.norm(q[t]))
    return np.array(ys), S
