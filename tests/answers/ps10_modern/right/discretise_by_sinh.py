"""exp(z/2) sinh(z/2), and tiny in the place of zero."""

# replaces: answer_discretise

import numpy as np


def discretise(delta, A):
    z = np.einsum("ti,ij->tij", delta, np.where(A == 0, -1e-30, A))
    near = np.where(z > -1, z, -1.0)
    share = 2 * np.exp(near / 2) * np.sinh(near / 2) / near
    far = np.where(z > -1, -1.0, z)
    share = np.where(z > -1, share, (1 - np.exp(far)) / -far)
    return np.exp(z), share * delta[..., None]
