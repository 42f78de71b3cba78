"""No formula: halve an interval until the gate keeps the right share."""

# replaces: answer_keep_bias

import numpy as np


def keep_bias(b_h, share, steps):
    low, high = -50.0, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        if (1 / (1 + np.exp(-middle))) ** steps < share:
            low = middle
        else:
            high = middle
    blocks = np.array(b_h).reshape(4, -1)
    blocks[1] = low
    return blocks.ravel().astype(np.float32)
