"""The largest difference is the largest error."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: and its absolute value taken

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    errors = np.zeros(theta.shape)
    for i in np.ndindex(theta.shape):
        plus, minus = theta.copy(), theta.copy()
        plus[i] += eps
        minus[i] -= eps
        slope = (f(plus) - f(minus)) / (2 * eps)
        errors[i] = (grad[i] - slope) / max(abs(grad[i]), abs(slope), 1e-6)
    return max(errors.max(), 0.0)
