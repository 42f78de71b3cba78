"""The denominator knows only the last word."""

# replaces: answer_step
# fails: recurrence
# message: the new z is wrong: the old sum is lost

import numpy as np


def linear_step(S, z, phi_q, phi_k, v):
    S = S + phi_k[:, :, None] * v[:, None]
    y = np.einsum("bmd,bm->bd", S, phi_q) / np.sum(phi_k * phi_q, axis=1)[:, None]
    return y, S, phi_k
