"""The definition of a derivative has one step, forwards."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: is the difference central

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    errors, here = np.zeros(theta.shape), f(theta)
    for i in np.ndindex(theta.shape):
        moved = theta.copy()
        moved[i] += eps
        n = (f(moved) - here) / eps
        errors[i] = abs(grad[i] - n) / max(abs(grad[i]), abs(n), 1e-6)
    return errors.max()
