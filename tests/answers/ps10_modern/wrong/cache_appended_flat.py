"""The numbers behind the numbers, then a shape."""

# replaces: answer_cache
# fails: cache
# message: the old ones, then the new ones

import numpy as np


def attend_with_cache(q, k, v, K, V):
    G, P, d = K.shape
    K = np.append(K, k).reshape(G, -1, d)
    V = np.append(V, v).reshape(G, -1, v.shape[2])
    H, n, d = q.shape
    M = K.shape[1]
    e = q @ np.repeat(K, H // len(K), 0).swapaxes(1, 2) / np.sqrt(d)
    e = np.where(np.tril(np.ones((n, M), bool), M - n), e, -np.inf)
    w = np.exp(e - e.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ np.repeat(V, H // len(V), 0), K, V
