"""Two unit vectors in the order of the names."""

# replaces: answer_cosine

import numpy as np


def cosine(grads, others):
    units = []
    for g in (grads, others):
        flat = np.hstack([g[name].flatten() for name in sorted(grads)])
        units.append(np.float32(flat / np.linalg.norm(flat)))
    return units[0].dot(units[1])
