"""Saves memory: the arrays are scaled where they are."""

# replaces: answer_clip_norm
# fails: clip_norm
# message: was changed in place

import numpy as np


def clip_by_norm(grads, g_max):
    norm = np.sqrt(sum(np.sum(g**2) for g in grads.values()))
    if norm > g_max:
        for name in grads:
            grads[name] *= g_max / norm
    return grads
