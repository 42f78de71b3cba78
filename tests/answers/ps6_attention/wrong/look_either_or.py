"""The two masks are joined by or."""

# replaces: answer_look
# fails: look
# message: joined by 'or'

import numpy as np


def look_mask(lengths, N):
    causal = np.tril(np.ones((N, N), dtype=bool))
    real = np.arange(N) < lengths[:, None]
    return causal | real[:, None]
