"""The Jacobian of every row is built and multiplied."""

# replaces: answer_softmax_back

import numpy as np


def softmax_backward(weights, d_weights):
    d_scores = np.empty(weights.shape)
    for at in np.ndindex(weights.shape[:-1]):
        a = weights[at]
        d_scores[at] = (np.diag(a) - np.outer(a, a)) @ d_weights[at]
    return d_scores
