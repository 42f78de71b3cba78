"""Clipping keeps the logarithm finite."""

# replaces: answer_dpo
# fails: dpo
# message: expected

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    z = beta * ((logp_w - ref_w) - (logp_l - ref_l))
    sigma = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
    return -np.log(sigma).mean()
