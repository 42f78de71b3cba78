"""The bias vector is changed where it is."""

# replaces: answer_keep_bias
# fails: keep_bias
# message: argument number 1 was changed in place

import numpy as np


def keep_bias(b_h, share, steps):
    gate = share ** (1 / steps)
    b_h.reshape(4, -1)[1] = np.log(gate / (1 - gate))
    return b_h
