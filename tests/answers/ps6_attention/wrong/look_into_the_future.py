"""The upper triangle."""

# replaces: answer_look
# fails: look
# message: the future is seen

import numpy as np


def look_mask(lengths, N):
    causal = np.triu(np.ones((N, N), dtype=bool))
    real = np.arange(N) < lengths[:, None]
    return causal & real[:, None]
