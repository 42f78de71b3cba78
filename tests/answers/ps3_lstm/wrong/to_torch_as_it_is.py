"""The weights are copied; weights are weights."""

# replaces: answer_gru_to_torch
# fails: gru_to_torch
# message: the blocks are still in our order

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    bias_hh = np.zeros_like(b_h)
    bias_hh[: len(b_inner)] = b_inner
    return W_x, W_h, b_h, bias_hh
