"""Jacobians multiplied out, then one einsum for all terms."""

# replaces: answer_shares

import numpy as np


def lag_shares(states, W_h, d_last):
    B, steps, d = states.shape
    slopes = 1 - states[:, 1:] ** 2
    carry = np.broadcast_to(np.eye(d), (B, d, d))
    sizes = []
    for t in range(steps - 2, -1, -1):
        delta = np.einsum("bi,bij,bj->bj", d_last, carry, slopes[:, t])
        G = np.einsum("bi,bj->ij", delta, states[:, t])
        sizes.append(np.sqrt((G**2).sum()))
        carry = carry @ (slopes[:, t, :, None] * W_h)
    return np.array(sizes) / sum(sizes)
