"""As many answers as occur in the pairs."""

# replaces: answer_dpo_gradient
# fails: preference_gradient
# message: shape

import numpy as np


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    z = beta * ((theta - theta_ref)[winners] - (theta - theta_ref)[losers])
    c = beta / len(z) * np.exp(-np.logaddexp(0, z))
    K = max(winners.max(), losers.max()) + 1
    return np.bincount(losers, c, K) - np.bincount(winners, c, K)
