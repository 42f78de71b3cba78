"""The loss of all pairs."""

# replaces: answer_dpo
# fails: dpo
# message: not their sum

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    z = beta * ((logp_w - ref_w) - (logp_l - ref_l))
    return np.logaddexp(0, -z).sum()
