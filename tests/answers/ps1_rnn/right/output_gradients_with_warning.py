"""Right, though the draft that is thrown away overflows and NumPy warns."""

# replaces: answer_output_gradients

import numpy as np


def output_gradients(o, y):
    draft = np.exp(o)
    if not np.isfinite(draft).all() or (draft.sum(axis=-1) == 0).any():
        draft = np.exp(o - o.max(axis=-1, keepdims=True))
    p = draft / draft.sum(axis=-1, keepdims=True)
    b, t = np.indices(y.shape)
    p[b, t, y] -= 1
    return p
