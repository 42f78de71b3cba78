"""Every array is clipped by its own norm."""

# replaces: answer_clip_norm
# fails: clip_norm
# message: the norm is that of all together

import numpy as np


def clip_by_norm(grads, g_max):
    return {
        k: g * min(1.0, g_max / max(np.linalg.norm(g), 1e-12)) for k, g in grads.items()
    }
