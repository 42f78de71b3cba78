"""In place, by adding and subtracting eps, on a flat view."""

# replaces: answer_gradient_check

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    flat, claimed, worst = theta.reshape(-1), grad.reshape(-1), 0.0
    for i in range(flat.size):
        flat[i] += eps
        above = f(theta)
        flat[i] -= 2 * eps
        below = f(theta)
        flat[i] += eps
        n = (above - below) / (2 * eps)
        if not np.isfinite(claimed[i]):
            return np.inf
        size = max(abs(n), abs(claimed[i]), 1e-6)
        worst = max(worst, abs(claimed[i] - n) / size)
    return worst
