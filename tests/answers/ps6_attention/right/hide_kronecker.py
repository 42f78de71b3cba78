"""A Kronecker product makes the copies."""

# replaces: answer_hide

import numpy as np


def hide_mask(look, heads):
    return np.kron(look, np.ones((heads, 1, 1), dtype=int)) == 0
