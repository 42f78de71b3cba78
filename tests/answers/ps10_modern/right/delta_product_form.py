"""The memory times I - beta k k^T."""

# replaces: answer_delta

import numpy as np


def delta_rule(q, k, v, alpha, beta, S_0):
    S, y = np.array(S_0), np.zeros(v.shape)
    for t, (key, value) in enumerate(zip(k, v, strict=True)):
        forget = np.eye(len(key)) - beta[t] * np.outer(key, key)
        S = alpha[t] * S @ forget + beta[t] * np.outer(value, key)
        y[t] = S @ q[t]
    return y, S
