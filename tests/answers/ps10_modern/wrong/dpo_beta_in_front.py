"""beta scales the loss."""

# replaces: answer_dpo
# fails: dpo
# message: not in front of the loss

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    z = (logp_w - ref_w) - (logp_l - ref_l)
    return beta * np.logaddexp(0, -z).mean()
