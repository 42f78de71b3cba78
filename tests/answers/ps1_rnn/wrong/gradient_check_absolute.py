"""A small difference is a small error."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: is it relative

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    worst = np.zeros(theta.shape)
    for i in np.ndindex(theta.shape):
        plus, minus = theta.copy(), theta.copy()
        plus[i] += eps
        minus[i] -= eps
        worst[i] = abs((f(plus) - f(minus)) / (2 * eps) - grad[i])
    return worst.max()
