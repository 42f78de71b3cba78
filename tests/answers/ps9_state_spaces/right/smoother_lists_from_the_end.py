"""Lists grown at the front."""

# replaces: answer_smoother

import numpy as np


def smoother(m_minus, P_minus, m, P, A):
    means, covs = [m[-1]], [P[-1]]
    for t in range(2, len(m) + 1):
        J = np.linalg.solve(P_minus[1 - t].T, A @ P[-t].T).T
        covs.insert(0, P[-t] + J @ (covs[0] - P_minus[1 - t]) @ J.T)
        means.insert(0, m[-t] + J @ (means[0] - m_minus[1 - t]))
    return np.stack(means), np.stack(covs)
