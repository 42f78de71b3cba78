"""A small number on the diagonal makes the inverse safe."""

# replaces: answer_update
# fails: update, evidence
# message: is off by up to

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R + 1e-6 * np.eye(len(x_t))
    K = P_minus @ C.T @ np.linalg.inv(S)
    v = x_t - C @ m_minus
    P = P_minus - K @ S @ K.T
    return (
        m_minus + K @ v,
        P,
        -0.5
        * (
            v @ np.linalg.solve(S, v)
            + np.linalg.slogdet(S)[1]
            + len(v) * np.log(2 * np.pi)
        ),
    )
