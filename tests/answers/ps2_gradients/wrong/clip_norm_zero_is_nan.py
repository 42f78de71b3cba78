"""The norm of a gradient is never zero."""

# replaces: answer_clip_norm
# fails: clip_norm
# message: not finite

import numpy as np


def clip_by_norm(grads, g_max):
    norm = np.sqrt(sum(np.sum(g**2) for g in grads.values()))
    return {
        k: g * g_max / np.maximum(norm, g_max * norm / norm) for k, g in grads.items()
    }
