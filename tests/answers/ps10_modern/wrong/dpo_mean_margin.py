"""The loss of the average pair."""

# replaces: answer_dpo
# fails: dpo
# message: the mean of the losses

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    z = beta * ((logp_w - ref_w) - (logp_l - ref_l))
    return np.logaddexp(0, -z.mean())
