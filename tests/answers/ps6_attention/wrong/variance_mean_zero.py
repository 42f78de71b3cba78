"""As in the lecture, for mean 0."""

# replaces: answer_variance
# fails: variance
# message: the means add two terms

import numpy as np


def score_variance(mean_q, cov_q, mean_k, cov_k):
    return np.trace(cov_q @ cov_k)
