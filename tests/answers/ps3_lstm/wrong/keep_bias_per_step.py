"""The share is that of one step, and the number of steps is not needed."""

# replaces: answer_keep_bias
# fails: keep_bias
# message: this keeps `share` in each step

import numpy as np


def keep_bias(b_h, share, steps):
    d_h, new = len(b_h) // 4, b_h.copy()
    new[d_h : 2 * d_h] = np.log(share / (1 - share))
    return new
