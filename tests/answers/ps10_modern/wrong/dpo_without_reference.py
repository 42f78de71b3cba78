"""The margin of the model."""

# replaces: answer_dpo
# fails: dpo
# message: the reference is not subtracted

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    return np.logaddexp(0, -beta * (logp_w - logp_l)).mean()
