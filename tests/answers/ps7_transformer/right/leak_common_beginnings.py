"""Sentences with a common beginning must have common scores, in NumPy."""

# replaces: answer_leaks

import numpy as np
import torch


def leaks(model, target, V):
    rng = np.random.default_rng(0)
    old = np.array(model(target).tolist())
    found = []
    for t in range(target.shape[1]):
        other = target.clone()
        steps = rng.integers(1, V, size=other[:, t:].shape)
        other[:, t:] = (other[:, t:] + torch.tensor(steps)) % V
        new = np.array(model(other).tolist())
        found.append(np.allclose(new[:, : t + 1], old[:, : t + 1], rtol=0, atol=1e-8))
    return not all(found)
