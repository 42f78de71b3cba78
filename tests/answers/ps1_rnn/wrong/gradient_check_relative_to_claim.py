"""The error is relative to the claimed gradient alone."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: the larger of

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    errors = np.zeros(theta.shape)
    for index in np.ndindex(theta.shape):
        kept = theta[index]
        theta[index] = kept + eps
        above = f(theta)
        theta[index] = kept - eps
        below = f(theta)
        theta[index] = kept
        n, g = (above - below) / (2 * eps), grad[index]
        errors[index] = abs(g - n) / max(abs(g), 1e-6)
    return np.max(errors)
