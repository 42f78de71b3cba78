"""Ones and zeros do as well."""

# replaces: answer_look
# fails: look
# message: not booleans

import numpy as np


def look_mask(lengths, N):
    real = (np.arange(N) < lengths[:, None]).astype(int)
    return np.tril(np.ones((N, N), dtype=int)) * real[:, None]
