"""As clip_grad_norm_ does it."""

# replaces: answer_private
# fails: private
# message: clip the gradient of each record

import numpy as np


def private_gradient(gradients, C, sigma, noise, expected):
    sums = {name: g.sum(axis=0) for name, g in gradients.items()}
    length = np.sqrt(sum(np.sum(s**2) for s in sums.values()))
    factor = min(1.0, C / length)
    return {
        name: (factor * s + sigma * C * noise[name]) / expected
        for name, s in sums.items()
    }
