"""After clipping the gradient has the length g_max."""

# replaces: answer_clip_norm
# fails: clip_norm
# message: do not enlarge it

import numpy as np


def clip_by_norm(grads, g_max):
    norm = np.sqrt(sum(np.sum(g**2) for g in grads.values()))
    return {k: g * g_max / (norm + 1e-12) for k, g in grads.items()}
