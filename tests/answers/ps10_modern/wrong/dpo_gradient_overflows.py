"""The softmax without its maximum taken off, to be exact."""

# replaces: answer_dpo_gradient
# fails: preference_gradient
# message: not finite

import numpy as np


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    p, ref = np.exp(theta), np.exp(theta_ref)
    odds = (p[winners] / p[losers] / ref[winners] * ref[losers]) ** beta
    pull = beta / len(winners) / (1 + odds)
    g = np.zeros(len(theta))
    np.subtract.at(g, winners, pull)
    np.add.at(g, losers, pull)
    return g
