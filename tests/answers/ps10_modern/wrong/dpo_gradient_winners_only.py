"""The winner should be likelier."""

# replaces: answer_dpo_gradient
# fails: preference_gradient
# message: the losers are missing

import numpy as np


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    lead = theta - theta_ref
    z = beta * (lead[winners] - lead[losers])
    pull = beta / len(winners) * 0.5 * (1 - np.tanh(z / 2))
    g = np.zeros(len(theta))
    np.subtract.at(g, winners, pull)
    return g
