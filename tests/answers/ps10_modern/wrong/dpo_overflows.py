"""minus log of sigma."""

# replaces: answer_dpo
# fails: dpo
# message: not finite

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    z = beta * ((logp_w - ref_w) - (logp_l - ref_l))
    return -np.log(1 / (1 + np.exp(-z))).mean()
