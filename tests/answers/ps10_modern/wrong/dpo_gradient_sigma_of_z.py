"""sigma of the margin."""

# replaces: answer_dpo_gradient
# fails: preference_gradient
# message: sigma(-z), not sigma(z)

import numpy as np


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    lead = theta - theta_ref
    z = beta * (lead[winners] - lead[losers])
    pull = beta / len(winners) * 0.5 * (1 + np.tanh(z / 2))
    g = np.zeros(len(theta))
    np.subtract.at(g, winners, pull)
    np.add.at(g, losers, pull)
    return g
