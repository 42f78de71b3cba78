"""The one-hot rows are as long as the largest word in the batch asks for."""

# replaces: answer_gradient
# fails: gradient
# message: the gradient has shape

import numpy as np


def loss_gradient(scores, target):
    real, words = (target != 0)[..., None], target.max() + 1
    p = np.exp(scores - scores.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    return real * (p[..., :words] - np.eye(words)[target]) / real.sum()
