"""Never touches theta; a step array per entry, all errors at once."""

# replaces: answer_gradient_check

import numpy as np


def gradient_check(f, theta, grad, eps=1e-5):
    steps = eps * np.eye(theta.size).reshape(theta.size, *theta.shape)
    numeric = [(f(theta + s) - f(theta - s)) / (2 * eps) for s in steps]
    numeric = np.reshape(numeric, theta.shape)
    size = np.maximum(np.maximum(np.abs(grad), np.abs(numeric)), 1e-6)
    return np.max(np.abs(grad - numeric) / size)
