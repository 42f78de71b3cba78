"""Every array is clipped to C."""

# replaces: answer_private
# fails: private
# message: each array was clipped by itself

import numpy as np


def private_gradient(gradients, C, sigma, noise, expected):
    result = {}
    for name, g in gradients.items():
        flat = g.reshape(len(g), -1)
        lengths = np.linalg.norm(flat, axis=1, keepdims=True)
        clipped = flat * np.minimum(1.0, C / np.maximum(lengths, 1e-12))
        total = clipped.sum(axis=0).reshape(g.shape[1:])
        result[name] = (total + sigma * C * noise[name]) / expected
    return result
