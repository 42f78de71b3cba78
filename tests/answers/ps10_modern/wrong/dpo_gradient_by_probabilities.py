"""The softmax is stable, and then comes its logarithm."""

# replaces: answer_dpo_gradient
# fails: preference_gradient
# message: no p is needed, which may be 0

import numpy as np


def dpo_gradient(theta, theta_ref, winners, losers, beta):
    p, p0 = np.exp(theta - theta.max()), np.exp(theta_ref - theta_ref.max())
    p, p0 = p / p.sum(), p0 / p0.sum()
    z = beta * (np.log(p[winners] / p0[winners]) - np.log(p[losers] / p0[losers]))
    g = np.zeros(len(theta))
    np.add.at(g, losers, beta / len(z) / (1 + np.exp(z)))
    np.subtract.at(g, winners, beta / len(z) / (1 + np.exp(z)))
    return g
