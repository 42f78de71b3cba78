"""The square of the mean is not subtracted."""

# replaces: answer_variance
# fails: variance
# message: subtract the square of the mean

import numpy as np


def score_variance(mean_q, cov_q, mean_k, cov_k):
    second_q = cov_q + np.outer(mean_q, mean_q)
    second_k = cov_k + np.outer(mean_k, mean_k)
    return np.trace(second_q @ second_k)
