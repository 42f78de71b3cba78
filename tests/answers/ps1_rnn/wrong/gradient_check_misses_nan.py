"""The largest so far, by Python's max; nan never is the largest."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: nan must not pass

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    worst = 0.0
    for i in np.ndindex(theta.shape):
        old = theta[i]
        theta[i] = old + eps
        above = f(theta)
        theta[i] = old - eps
        below = f(theta)
        theta[i] = old
        n = (above - below) / (2 * eps)
        size = max(1e-6, abs(n), abs(grad[i]))
        worst = max(worst, abs(grad[i] - n) / size)
    return worst
