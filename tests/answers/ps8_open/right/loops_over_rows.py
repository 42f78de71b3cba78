"""Plain loops over the batch and the queries."""

# replaces: answer_step

import numpy as np


def linear_step(S, z, phi_q, phi_k, v):
    S, z = S.copy(), z.copy()
    y = np.zeros(v.shape)
    for b in range(len(v)):
        S[b] += np.outer(phi_k[b], v[b])
        z[b] += phi_k[b]
        y[b] = phi_q[b] @ S[b] / (phi_q[b] @ z[b])
    return [y, S, z]


# replaces: answer_absorb


def absorb(top, z, y, scores, values):
    top, z, y = top.copy(), z.copy(), y.copy()
    for n, row in enumerate(scores):
        if row.max() == -np.inf:
            continue  # nothing new to see
        if row.max() > top[n]:
            shrink = np.exp(top[n] - row.max())
            z[n], y[n], top[n] = z[n] * shrink, y[n] * shrink, row.max()
        grown = np.exp(row - top[n])
        z[n] += grown.sum()
        y[n] += grown @ values
    return top, z, y
