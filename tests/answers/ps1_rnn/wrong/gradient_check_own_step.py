"""A step of its own; the eps that is handed in is ignored."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: the step is the eps that is handed in

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    errors = np.zeros(theta.shape)
    for index in np.ndindex(theta.shape):
        kept = theta[index]
        theta[index] = kept + 1e-5
        above = f(theta)
        theta[index] = kept - 1e-5
        below = f(theta)
        theta[index] = kept
        n, g = (above - below) / (2 * 1e-5), grad[index]
        errors[index] = abs(g - n) / max(abs(g), abs(n), 1e-6)
    return np.max(errors)
