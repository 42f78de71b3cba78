"""Token by token, with a running maximum."""

# replaces: answer_cache

import numpy as np


def attend_with_cache(q, k, v, K, V):
    H, n, d = q.shape
    served = H // K.shape[0]
    K_new, V_new = np.hstack([K, k]), np.hstack([V, v])
    y = np.zeros((H, n, V.shape[2]))
    for h, i in np.ndindex(H, n):
        top, total, mean = -np.inf, 0.0, np.zeros(V.shape[2])
        for m in range(K.shape[1] + i + 1):
            score = q[h, i] @ K_new[h // served, m] / d**0.5
            new = max(top, score)
            old, fresh = np.exp(top - new), np.exp(score - new)
            total = total * old + fresh
            mean = mean * old + fresh * V_new[h // served, m]
            top = new
        y[h, i] = mean / total
    return [y, K_new, V_new]
