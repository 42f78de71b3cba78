"""bias_hh holds b_inner and nothing else."""

# replaces: answer_gru_to_torch
# fails: gru_to_torch
# message: bias_hh has shape

import numpy as np


def gru_to_torch(W_x, W_h, b_h, b_inner):
    def turned(w):
        h_tilde, z, r = np.split(w, 3)
        return np.concatenate([r, -z, h_tilde])

    return turned(W_x), turned(W_h), turned(b_h), b_inner
