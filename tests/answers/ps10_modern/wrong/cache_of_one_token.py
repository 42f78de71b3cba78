"""While writing, n is 1: nothing to mask but one place."""

# replaces: answer_cache
# fails: cache
# message: the mask is missing

import numpy as np


def attend_with_cache(q, k, v, K, V):
    (H, n, d), P = q.shape, K.shape[1]
    K, V = np.concatenate([K, k], axis=1), np.concatenate([V, v], axis=1)
    keys, values = (np.repeat(x, H // len(x), axis=0) for x in (K, V))
    scores = q @ keys.swapaxes(1, 2) / d**0.5
    scores = np.where(np.tri(n, P + n, max(P, n), dtype=bool), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    return e / e.sum(axis=2, keepdims=True) @ values, K, V
