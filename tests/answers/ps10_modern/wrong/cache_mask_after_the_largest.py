"""The largest score of all is taken off, hidden or not."""

# replaces: answer_cache
# fails: cache
# message: entries that are not finite

import numpy as np


def attend_with_cache(q, k, v, K, V):
    K, V = np.concatenate((K, k), axis=1), np.concatenate((V, v), axis=1)
    served, M, n = len(q) // len(K), K.shape[1], q.shape[1]
    keys, values = (np.repeat(each, served, axis=0) for each in (K, V))
    e = q @ keys.swapaxes(1, 2) / np.sqrt(q.shape[2])
    seen = np.tril(np.ones((n, M), dtype=bool), k=M - n)
    w = np.exp(e - e.max(axis=-1, keepdims=True)) * seen
    y = w / w.sum(axis=-1, keepdims=True) @ values
    return y, K, V
