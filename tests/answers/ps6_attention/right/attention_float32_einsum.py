"""einsum in float32; the query is divided by the root."""

# replaces: answer_attention

import numpy as np


def attention(q, k, v, mask=None):
    q, k, v = (array.astype(np.float32) for array in (q, k, v))
    scores = np.einsum("bnd,bmd->bnm", q / np.sqrt(np.float32(q.shape[-1])), k)
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-np.inf))
    with np.errstate(invalid="ignore"):
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = np.nan_to_num(e / e.sum(axis=-1, keepdims=True))
    return np.einsum("bnm,bmd->bnd", weights, v), weights
