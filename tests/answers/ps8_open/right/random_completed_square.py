"""exp of half |omega|^2 minus half |omega - u|^2."""

# replaces: answer_random

import numpy as np


def positive_features(x, omega):
    u = x * x.shape[-1] ** -0.25
    gap = ((u[..., None, :] - omega) ** 2).sum(axis=-1)
    return np.exp(((omega**2).sum(axis=1) - gap) / 2) / len(omega) ** 0.5
