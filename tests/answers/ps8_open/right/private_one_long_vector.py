"""All arrays of a record are joined into one vector."""

# replaces: answer_private

import numpy as np


def private_gradient(gradients, C, sigma, noise, expected):
    rows = [g.reshape(len(g), int(np.prod(g.shape[1:]))) for g in gradients.values()]
    length = np.linalg.norm(np.concatenate(rows, axis=1), axis=1)
    factor = C / np.maximum(length, C)

    def made(name, g):
        return np.tensordot(factor, g, axes=1) + sigma * C * noise[name]

    return {name: made(name, g) / expected for name, g in gradients.items()}
