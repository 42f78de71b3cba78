"""A column of ones beside the values makes the denominator."""

# replaces: answer_features

import numpy as np


def elu_features(x):
    return np.maximum(x, 0) + np.exp(np.minimum(x, 0))


# replaces: answer_linear


def linear_attention(phi_q, phi_k, v):
    ones = np.ones((*v.shape[:2], 1))
    summed = np.einsum("bjm,bjd->bmd", phi_k, np.concatenate([v, ones], axis=2))
    both = np.einsum("bnm,bmd->bnd", phi_q, summed)
    return both[..., :-1] / both[..., -1:]
