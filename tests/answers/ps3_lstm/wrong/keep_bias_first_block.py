"""The forget gate comes first."""

# replaces: answer_keep_bias
# fails: keep_bias
# message: a block other than that of f was changed

import numpy as np


def keep_bias(b_h, share, steps):
    new, gate = b_h.copy(), share ** (1 / steps)
    new[: len(b_h) // 4] = np.log(gate / (1 - gate))
    return new
