"""Orthogonal is orthogonal."""

# replaces: answer_orthogonal
# fails: orthogonal
# message: the factor gain enters once

import numpy as np


def orthogonal_start(G, gain):
    return np.linalg.qr(G)[0]
