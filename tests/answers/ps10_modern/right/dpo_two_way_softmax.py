"""A softmax of two."""

# replaces: answer_dpo

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    a, b = beta * (logp_w - ref_w), beta * (logp_l - ref_l)
    return np.mean(np.logaddexp(a, b) - a)
