"""states and d_o start at the same index, so they are paired from the start."""

# replaces: answer_readout
# fails: readout
# message: meets h_t

import numpy as np


def readout_gradients(d_o, states):
    return np.einsum("bti,btj->ij", d_o, states[:, :-1]), d_o.sum(axis=(0, 1))
