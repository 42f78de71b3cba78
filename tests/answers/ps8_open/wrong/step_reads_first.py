"""The state of the past is read, then the word is added."""

# replaces: answer_step
# fails: recurrence
# message: before the new word is added

import numpy as np


def linear_step(S, z, phi_q, phi_k, v):
    y = np.einsum("bmd,bm->bd", S, phi_q) / np.sum(z * phi_q, axis=1)[:, None]
    return y, S + phi_k[:, :, None] * v[:, None], z + phi_k
