"""Query and feature stacked, one matrix, float32."""

# replaces: answer_additive

import numpy as np


def additive_scores(s, f, W_q, W_k, w):
    B, T, _ = f.shape
    pairs = np.concatenate([np.repeat(s[:, None], T, axis=1), f], axis=2)
    W = np.concatenate([W_q, W_k], axis=1).astype(np.float32)
    hidden = np.tanh(np.einsum("btd,ad->bta", pairs.astype(np.float32), W))
    return np.einsum("bta,a->bt", hidden, w.astype(np.float32)).reshape(B, T)
