"""A tanh is a tanh."""

# replaces: answer_gru
# fails: gru
# message: torch.tensor was used: answers to this question may use numpy alone
# rule: modules

import numpy as np
import torch


def gru_step(x_t, h_prev, W_x, W_h, b_h):
    u_h, u_z, u_r = torch.tensor(x_t @ W_x.T + b_h).chunk(3, 1)
    W_candidate, W_z, W_r = np.split(W_h, 3)
    z, r = (u_z + h_prev @ W_z.T).sigmoid(), (u_r + h_prev @ W_r.T).sigmoid()
    h_tilde = (u_h + (r * h_prev) @ W_candidate.T).tanh()
    return ((1 - z) * h_prev + z * h_tilde).numpy()
