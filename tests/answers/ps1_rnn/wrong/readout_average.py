"""A batch gradient is an average over the batch."""

# replaces: answer_readout
# fails: readout
# message: do not average

import numpy as np


def readout_gradients(d_o, states):
    B = len(d_o)
    return np.einsum("bti,btj->ij", d_o, states[:, 1:]) / B, d_o.sum(axis=(0, 1)) / B
