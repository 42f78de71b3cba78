"""Where the gradient is 0 there is nothing to compare."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: one entry claims 0 and is not

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    errors = [0.0]
    for index in np.argwhere(grad != 0):
        step = np.zeros(theta.shape)
        step[tuple(index)] = eps
        numeric = (f(theta + step) - f(theta - step)) / (2 * eps)
        claimed = grad[tuple(index)]
        errors.append(abs(claimed - numeric) / max(abs(claimed), abs(numeric), 1e-6))
    return float(np.max(errors))
