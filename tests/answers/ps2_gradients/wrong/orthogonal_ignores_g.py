"""A random start needs random numbers: it draws its own and leaves G alone."""

# replaces: answer_orthogonal
# fails: orthogonal
# message: make W from G

import numpy as np


def orthogonal_start(G, gain):
    Q, _ = np.linalg.qr(np.random.default_rng().normal(size=G.shape))
    return gain * Q
