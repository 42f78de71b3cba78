"""Another course divides by the sum of both sizes."""

# replaces: answer_gradient_check
# fails: gradient_check
# message: divide by the larger of |g| and |n|, not by their sum

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    worst = 0.0
    for i in np.ndindex(theta.shape):
        up, down = theta.copy(), theta.copy()
        up[i] += eps
        down[i] -= eps
        n = (f(up) - f(down)) / (2 * eps)
        error = abs(grad[i] - n) / (abs(grad[i]) + abs(n) + 1e-6)
        worst = np.maximum(worst, error)
    return worst
