"""tr(E[qq] E[kk]) minus the square of the mean."""

# replaces: answer_variance

import numpy as np


def score_variance(mean_q, cov_q, mean_k, cov_k):
    second_q = cov_q + np.outer(mean_q, mean_q)
    second_k = cov_k + np.outer(mean_k, mean_k)
    return np.trace(second_q @ second_k) - np.dot(mean_q, mean_k) ** 2
