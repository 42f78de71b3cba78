"""Two gradients that disagree have nothing in common: 0."""

# replaces: answer_cosine
# fails: cosine
# message: a cosine may be negative

import numpy as np


def cosine(grads, others):
    a, b = (np.concatenate([g[k].ravel() for k in grads]) for g in (grads, others))
    return max(0.0, a @ b / np.linalg.norm(a) / np.linalg.norm(b))
