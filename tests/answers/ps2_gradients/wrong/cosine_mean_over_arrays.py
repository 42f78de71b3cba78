"""Each array has its own angle; the mean tells all."""

# replaces: answer_cosine
# fails: cosine
# message: the mean over the arrays

import numpy as np


def cosine(grads, others):
    each = [
        np.sum(g * others[k]) / np.linalg.norm(g) / np.linalg.norm(others[k])
        for k, g in grads.items()
    ]
    return np.mean(each)
