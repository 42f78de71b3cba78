"""The mean error describes the whole gradient best."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: the largest of all

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    errors = []
    for i in np.ndindex(theta.shape):
        step = np.zeros(theta.shape)
        step[i] = eps
        n = (f(theta + step) - f(theta - step)) / (2 * eps)
        errors.append(abs(grad[i] - n) / max(abs(grad[i]), abs(n), 1e-6))
    return np.mean(errors)
