"""Entry by entry, correlations left out."""

# replaces: answer_variance
# fails: variance
# message: the correlations are left out

import numpy as np


def score_variance(mean_q, cov_q, mean_k, cov_k):
    v_q, v_k = np.diag(cov_q), np.diag(cov_k)
    return np.sum(v_q * v_k + mean_q**2 * v_k + mean_k**2 * v_q)
