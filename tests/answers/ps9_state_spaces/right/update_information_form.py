"""Precisions add; the determinant from eigenvalues."""

# replaces: answer_update

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    inv = np.linalg.inv
    P = inv(inv(P_minus) + C.T @ inv(R) @ C)
    m = P @ (inv(P_minus) @ m_minus + C.T @ inv(R) @ x_t)
    values, vectors = np.linalg.eigh(C @ P_minus @ C.T + R)
    off = vectors.T @ (x_t - C @ m_minus)
    return m, P, -0.5 * np.sum(off**2 / values + np.log(2 * np.pi * values))
