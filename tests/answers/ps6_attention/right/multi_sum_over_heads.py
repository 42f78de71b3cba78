"""Each head has its own columns of W_o, and the results are added."""

# replaces: answer_multi

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    d = len(W_q) // heads
    output, weights = 0.0, []
    for i in range(heads):
        rows = slice(i * d, (i + 1) * d)
        q, k, v = x @ W_q[rows].T, memory @ W_k[rows].T, memory @ W_v[rows].T
        scores = np.einsum("bnd,bmd->bnm", q, k) / d**0.5
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        top = np.maximum(scores.max(axis=2, keepdims=True), -1e300)
        e = np.exp(scores - top)
        total = e.sum(axis=2, keepdims=True)
        weights.append(e / (total + (total == 0)))
        output = output + weights[-1] @ v @ W_o[:, rows].T
    return output, np.array(weights).swapaxes(0, 1)
