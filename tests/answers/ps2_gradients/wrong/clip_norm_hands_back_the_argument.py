"""Short enough: nothing to do."""

# replaces: answer_clip_norm
# fails: clip_norm
# message: return new arrays, also when nothing is clipped

import numpy as np


def clip_by_norm(grads, g_max):
    norm = np.sqrt(sum(np.sum(array**2) for array in grads.values()))
    if norm <= g_max:
        return grads
    return {name: g_max / norm * array for name, array in grads.items()}
