"""The bias by expm1, which loses no digits, and a vector put together anew."""

# replaces: answer_keep_bias

import numpy as np


def keep_bias(b_h, share, steps):
    c_tilde, f, i, o = np.split(b_h, 4)
    log_gate = np.log(share) / steps
    return np.concatenate(
        [c_tilde, 0 * f + log_gate - np.log(-np.expm1(log_gate)), i, o]
    )
