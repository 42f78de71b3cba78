"""The arrays of both gradients come in the same order."""

# replaces: answer_cosine
# fails: cosine
# message: match the arrays by their names

import numpy as np


def cosine(grads, others):
    a, b = (np.concatenate([g.ravel() for g in d.values()]) for d in (grads, others))
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)
