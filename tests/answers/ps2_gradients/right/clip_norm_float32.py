"""Single precision, norms of norms."""

# replaces: answer_clip_norm

import numpy as np


def clip_by_norm(grads, g_max):
    grads = {name: np.float32(g) for name, g in grads.items()}
    norms = [np.sqrt(np.sum(np.square(g))) for g in grads.values()]
    total = np.linalg.norm(norms)
    if total <= g_max:
        return grads
    return {name: g / total * np.float32(g_max) for name, g in grads.items()}
