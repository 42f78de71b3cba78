"""Outer products, added up."""

# replaces: answer_thin_gradients

import numpy as np


def lora_gradients(x, A, B, alpha, dy):
    dA, dB = np.zeros(A.shape), np.zeros(B.shape)
    for x_n, g in zip(x, dy, strict=True):
        dA += np.outer(B.T @ g, x_n)
        dB += np.outer(g, A @ x_n)
    return dA * alpha / len(dA), dB * alpha / len(dA)
