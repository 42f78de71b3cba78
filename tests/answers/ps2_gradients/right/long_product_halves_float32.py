"""Both halves by themselves, single precision."""

# replaces: answer_long_product

import numpy as np


def halves(J):
    if len(J) == 0:
        return np.eye(J.shape[-1], dtype=np.float32), 0.0
    if len(J) == 1:
        P, log_size = J[0].astype(np.float32), 0.0
    else:
        (early, a), (late, b) = halves(J[: len(J) // 2]), halves(J[len(J) // 2 :])
        P, log_size = late @ early, a + b
    size = np.linalg.norm(P)
    if size == 0:
        return P, -np.inf
    return P / size, log_size + np.log(size)


def log_norm(J):
    P, log_size = halves(J)
    if log_size == -np.inf:
        return log_size
    return log_size + np.log(np.linalg.norm(P, 2))
