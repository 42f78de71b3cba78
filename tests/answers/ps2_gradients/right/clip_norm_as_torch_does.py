"""A tiny number in the denominator, as in torch."""

# replaces: answer_clip_norm

import numpy as np


def clip_by_norm(grads, g_max):
    flat = np.concatenate([np.ravel(g) for g in grads.values()])
    factor = min(1.0, g_max / (np.linalg.norm(flat) + 1e-6))
    return {name: np.asarray(g) * factor for name, g in grads.items()}
