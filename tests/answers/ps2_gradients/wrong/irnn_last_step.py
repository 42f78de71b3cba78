"""Where a unit stands at the end is what counts."""

# replaces: answer_irnn
# fails: irnn
# message: only the last step is counted

import numpy as np


def irnn_reach(W_x, x, h_0):
    h = h_0
    for x_t in x:
        h = np.maximum(0, h + W_x @ x_t)
    return (h > 0).astype(float) if len(x) else np.ones(len(h_0))
