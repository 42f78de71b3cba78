"""max(error, worst) keeps a nan of the last entry, but loses one before it."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: nan must not pass

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    worst = 0.0
    for index in np.ndindex(theta.shape):
        kept = theta[index]
        theta[index] = kept + eps
        above = f(theta)
        theta[index] = kept - eps
        below = f(theta)
        theta[index] = kept
        n, g = (above - below) / (2 * eps), grad[index]
        worst = max(abs(g - n) / max(abs(g), abs(n), 1e-6), worst)
    return worst
