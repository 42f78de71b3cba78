"""Einsum, with the factor inside."""

# replaces: answer_merge

import numpy as np


def lora_merge(W, A, B, alpha):
    return np.einsum("or,ri->oi", B * alpha, A / A.shape[0]) + W
