"""Einsum, and the sum of outer parts."""

# replaces: answer_predict

import numpy as np


def predict(m, P, A, Q):
    return np.einsum("ij,j->i", A, m), Q + np.einsum("ij,jk,lk->il", A, P, A)
