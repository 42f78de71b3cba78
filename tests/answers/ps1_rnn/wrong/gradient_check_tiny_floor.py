"""The floor only avoids 0/0: 1e-12 instead of 1e-6."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: divide by at least 1e-6

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
        errors[index] = abs(g - n) / max(abs(g), abs(n), 1e-12)
    return np.max(errors)
