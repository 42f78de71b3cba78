"""Only the order of the blocks differs."""

# replaces: answer_gru_to_torch
# fails: gru_to_torch
# message: turn the signs of its block

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    W_x, W_h, b_h = (np.concatenate(np.split(w, 3)[::-1]) for w in (W_x, W_h, b_h))
    return W_x, W_h, b_h, np.concatenate([0 * b_inner, 0 * b_inner, b_inner])
