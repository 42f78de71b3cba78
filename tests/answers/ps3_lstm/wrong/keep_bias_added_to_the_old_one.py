"""The bias is raised by what keeps the gate open."""

# replaces: answer_keep_bias
# fails: keep_bias
# message: it replaces the old bias and is not added to it

import numpy as np


def keep_bias(b_h, share, steps):
    new, gate, d_h = b_h.copy(), share ** (1 / steps), len(b_h) // 4
    new[d_h : 2 * d_h] += np.log(gate / (1 - gate))
    return new
