"""Each pair is a row with a plus and a minus."""

# replaces: answer_dpo_gradient

import numpy as np


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    D = np.zeros((len(winners), len(theta)))
    rows = np.arange(len(winners))
    D[rows, winners] += 1
    D[rows, losers] -= 1
    z = beta * D @ (theta - theta_ref)
    return -(D.T @ (0.5 - 0.5 * np.tanh(z / 2))) * beta / len(z)
