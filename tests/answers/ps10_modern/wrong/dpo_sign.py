"""Loser minus winner."""

# replaces: answer_dpo
# fails: dpo
# message: winner and loser are exchanged

import numpy as np


def dpo_loss(logp_w, logp_l, ref_w, ref_l, beta):
    z = beta * ((logp_l - ref_l) - (logp_w - ref_w))
    return np.logaddexp(0, -z).mean()
