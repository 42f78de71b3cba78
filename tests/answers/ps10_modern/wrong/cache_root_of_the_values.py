"""The scores are divided by the root of the last axis of what is read."""

# replaces: answer_cache
# fails: cache
# message: not of the values

import numpy as np


def attend_with_cache(q, k, v, K, V):
    H, n, _ = q.shape
    P, served = K.shape[1], H // len(K)
    K, V = np.concatenate([K, k], axis=1), np.concatenate([V, v], axis=1)
    keys, values = np.repeat(K, served, axis=0), np.repeat(V, served, axis=0)
    scores = q @ keys.swapaxes(1, 2) / np.sqrt(V.shape[2])
    may_see = np.tril(np.ones((n, P + n), dtype=bool), k=P)
    scores = np.where(may_see, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    return e / e.sum(axis=2, keepdims=True) @ values, K, V
