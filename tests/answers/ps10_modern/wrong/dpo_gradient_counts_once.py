"""g[w] -= pull."""

# replaces: answer_dpo_gradient
# fails: preference_gradient
# message: keeps one of them

import numpy as np


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    lead = theta - theta_ref
    z = beta * (lead[winners] - lead[losers])
    pull = beta / len(winners) * 0.5 * (1 - np.tanh(z / 2))
    g = np.zeros(len(theta))
    g[winners] -= pull
    g[losers] += pull
    return g
