"""qr returns the matrix second."""

# replaces: answer_orthogonal
# fails: orthogonal
# message: this is the triangular factor of qr

import numpy as np


def orthogonal_start(G, gain):
    return gain * np.linalg.qr(G)[1]
