"""beta for the policy, beta for the reference."""

# replaces: answer_dpo
# fails: dpo
# message: beta is there twice

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    won, lost = beta * (logp_w - ref_w), beta * (logp_l - ref_l)
    return np.logaddexp(0, -beta * (won - lost)).mean()
