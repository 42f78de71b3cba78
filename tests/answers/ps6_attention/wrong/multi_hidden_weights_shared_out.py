"""Weights of hidden keys are set to 0 at the end, and the rest made to add up to 1."""

# replaces: answer_multi
# fails: multi_masked
# message: the output is off

import numpy as np


def multi_head(x, memory, W_q, W_k, W_v, W_o, heads, mask=None):
    def cut(rows):
        return np.stack(np.split(rows, heads, axis=-1), axis=1)

    q, k, v = cut(x @ W_q.T), cut(memory @ W_k.T), cut(memory @ W_v.T)
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    if mask is not None:
        weights *= mask[:, None]
        weights /= np.maximum(weights.sum(axis=-1, keepdims=True), 1e-30)
    return np.concatenate(list((weights @ v).swapaxes(0, 1)), axis=-1) @ W_o.T, weights
