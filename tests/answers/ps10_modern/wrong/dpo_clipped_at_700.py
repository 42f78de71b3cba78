"""Beyond 700 np.exp overflows, so z is cut off there."""

# replaces: answer_dpo
# fails: dpo
# message: the mean of log(1 + exp(-z))

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    z = np.clip(beta * ((logp_w - ref_w) - (logp_l - ref_l)), -700, 700)
    return np.log1p(np.exp(-z)).mean()
