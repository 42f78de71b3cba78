"""The mask is as wide as the longest sentence, whatever N is."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_look
# fails: look
# message: the mask has shape

import numpy as np


def look_mask(lengths, N):
    N = int(lengths.max())
    p = np.arange(N)
    return (p <= p[:, None]) & (p < lengths[:, None])[:, None]
