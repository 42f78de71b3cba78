"""The exponentials first, then their share."""

# replaces: answer_dpo
# fails: dpo
# message: not finite

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    a = np.exp(beta * (logp_w - ref_w))
    b = np.exp(beta * (logp_l - ref_l))
    return -np.mean(np.log(a / (a + b)))
