"""A pseudo-inverse that takes small eigenvalues for zero."""

# replaces: answer_update
# fails: update, evidence
# message: R is missing in S

import numpy as np


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R
    Si = np.linalg.pinv(S, rcond=1e-4)
    K = P_minus @ C.T @ Si
    v = x_t - C @ m_minus
    P = P_minus - K @ S @ K.T
    return (
        m_minus + K @ v,
        P,
        -0.5 * (v @ Si @ v + np.linalg.slogdet(S)[1] + len(v) * np.log(2 * np.pi)),
    )
